package io.agentprm.cli.run;

import io.agentprm.cli.plugin.PluginOptions;
import io.agentprm.cli.version.Versions;
import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.pipeline.PrmResults;
import io.agentprm.core.pipeline.PrmTraining;
import io.agentprm.core.pipeline.PrmTrainingConfig;
import io.agentprm.core.plugin.PluginDirectories;
import io.agentprm.core.report.Words;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Trains a process reward model from trajectories that exist already. */
@Command(
        name = "train-prm",
        description = "Train a process reward model from existing trajectories.")
public final class TrainPrmCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "TRAJECTORIES",
            arity = "1..*",
            description =
                    "Files of trajectories (.jsonl, .jsonl.gz), directories of such files, or"
                            + " directories of one file per episode (0.json, 1.json, ...) as the"
                            + " agent_prm code writes them.")
    private List<Path> inputs = new ArrayList<>();

    @Option(
            names = "--out",
            required = true,
            paramLabel = "DIR",
            description = "Directory of the training; the model is in prm/model there.")
    private Path out;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Configuration: engine, models, targets, prm, adam-w (default: defaults).")
    private Optional<Path> file = Optional.empty();

    @Option(
            names = "--policy",
            paramLabel = "DIR",
            description =
                    "Model directory of a policy to start from (default: a new tokenizer, trained"
                            + " on the trajectories, and new weights).")
    private Optional<Path> policy = Optional.empty();

    @Mixin private Overrides overrides;

    @Mixin private PluginOptions plugins = new PluginOptions();

    @Override
    public void run() {
        ConfigNode node =
                file.map(ConfigNode::read).orElseGet(() -> ConfigNode.parse("{}", "defaults"));
        ConfigBinder binder = ConfigBinder.strict();
        PrmTrainingConfig config =
                binder.bind(overrides.over(node, PrmTrainingConfig.class), PrmTrainingConfig.class);
        try (PluginDirectories directories = plugins.open()) {
            print(spec.commandLine().getOut(), train(config, directories));
        }
    }

    private PrmResults train(PrmTrainingConfig config, PluginDirectories directories) {
        return CommandContexts.stoppable(
                spec.commandLine().getErr(),
                CommandContexts.CHECKPOINTS,
                contexts ->
                        new PrmTraining(directories.discover(), contexts, Versions.recorded())
                                .run(config.of(inputs, policy.or(config::policy)), out));
    }

    private void print(PrintWriter screen, PrmResults results) {
        screen.println(
                Words.counted(results.trajectories(), "trajectory", "trajectories")
                        + ", "
                        + Words.counted(results.turns(), "turn")
                        + " to learn from, "
                        + Words.counted(results.steps(), "step"));
        results.heldOut()
                .ifPresent(
                        held ->
                                screen.printf(
                                        Locale.ROOT,
                                        "On %d turns of tasks kept back: loss %.4f, accuracy %.3f,"
                                                + " AUC %s, Brier %.4f, calibration error %.4f%n",
                                        held.turns(),
                                        held.loss(),
                                        held.accuracy(),
                                        held.auc()
                                                .map(auc -> String.format(Locale.ROOT, "%.3f", auc))
                                                .orElse("unknown"),
                                        held.brier(),
                                        held.calibrationError()));
        screen.println("Model: " + out.resolve("prm").resolve("model"));
        screen.println("Report: " + out.resolve("report.html"));
    }
}
