package io.agentprm.cli.export;

import io.agentprm.cli.run.RunModels;
import io.agentprm.core.RunException;
import io.agentprm.engine.onnx.OnnxExport;
import io.agentprm.engine.onnx.Precision;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a model for ONNX Runtime. */
@Command(
        name = "export",
        description = {
            "Write a policy or a reward model for ONNX Runtime.",
            "The result is a model directory, which 'engine: onnx' loads like any other."
        })
public final class ExportCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "RUN|MODEL", description = "Run directory, or a model directory.")
    private Path source;

    @Option(
            names = "--to",
            paramLabel = "DIR",
            required = true,
            description = "Where the exported model goes; must not exist yet.")
    private Path target;

    @Option(
            names = "--precision",
            paramLabel = "FORMAT",
            defaultValue = "F32",
            description = "Number format of the weights: f32, int8 or int4 (default: f32).")
    private Precision precision;

    @Option(
            names = "--iteration",
            paramLabel = "I",
            description = "Policy pi-I of the run (default: the last).")
    private Optional<Integer> iteration = Optional.empty();

    @Option(
            names = "--reward-model",
            paramLabel = "J",
            description = "Reward model Q-J of the run, instead of a policy.")
    private Optional<Integer> rewardModel = Optional.empty();

    @Override
    public void run() {
        Path model = model();
        OnnxExport.write(model, target, precision);
        spec.commandLine()
                .getOut()
                .printf(
                        Locale.ROOT,
                        "%s in %s: %s%n",
                        model,
                        precision.name().toLowerCase(Locale.ROOT),
                        target);
    }

    private Path model() {
        if (!Files.isDirectory(source)) {
            throw new RunException("there is no directory " + source);
        }
        boolean ofRun = Files.notExists(source.resolve("config.json"));
        if (!ofRun && (iteration.isPresent() || rewardModel.isPresent())) {
            throw new RunException(
                    source
                            + " is a model directory: --iteration and --reward-model choose among"
                            + " the models of a run");
        }
        if (iteration.isPresent() && rewardModel.isPresent()) {
            throw new RunException("choose a policy (--iteration) or a --reward-model, not both");
        }
        if (!ofRun) {
            return source;
        }
        RunModels models = new RunModels(source);
        return rewardModel
                .map(models::rewardModel)
                .orElseGet(() -> models.policy(iteration.orElseGet(models::lastPolicy)));
    }
}
