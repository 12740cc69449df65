package io.agentprm.cli.export;

import io.agentprm.cli.run.RunModels;
import io.agentprm.core.RunException;
import io.agentprm.lm.checkpoint.ModelDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a model for ONNX Runtime, llama.cpp or others. */
@Command(
        name = "export",
        description = {
            "Write a policy or a reward model for ONNX Runtime or as a whole Hugging Face directory,"
                    + " or a policy for llama.cpp.",
            "The result is a model directory: 'engine: onnx' loads it like any other; llama-server"
                    + " serves the model.gguf in it, and 'engine: openai' asks the server."
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
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "ONNX",
            description = {
                "What it is written as: onnx, gguf or safetensors (default: onnx).",
                "safetensors: a Hugging Face directory, an adapter merged into its base."
            })
    private ExportFormat format;

    @Option(
            names = "--precision",
            paramLabel = "NUMBERS",
            defaultValue = "f32",
            description = {
                "Number format of the weights (default: f32).",
                "onnx: f32, f16, int8 or int4; gguf: f32, f16, bf16, q8_0 or q4_0;",
                "safetensors: f32 or bf16."
            })
    private String precision;

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
        format.write(model, target, precision);
        spec.commandLine()
                .getOut()
                .printf(
                        Locale.ROOT,
                        "%s in %s: %s%n",
                        model,
                        precision.toLowerCase(Locale.ROOT),
                        target);
    }

    private Path model() {
        if (!Files.isDirectory(source)) {
            throw new RunException("there is no directory " + source);
        }
        boolean ofRun = !ModelDirectory.isOne(source);
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
