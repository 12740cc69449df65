package io.agentprm.cli.run;

import io.agentprm.cli.plugin.PluginOptions;
import io.agentprm.cli.version.Versions;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.pipeline.PipelineRun;
import io.agentprm.core.pipeline.RunConfig;
import io.agentprm.core.plugin.PluginDirectories;
import io.agentprm.core.report.RunReport;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a configuration from demonstrations to the report. */
@Command(
        name = "run",
        description = "Train an agent as a configuration says, or go on with an interrupted run.")
public final class RunCommand implements Runnable {
    private static final double LONGEST_INTERVAL = 1e9;

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "CONFIG", description = "Configuration file, YAML or JSON.")
    private Path file;

    @Mixin private Overrides overrides;

    @Mixin private PluginOptions plugins = new PluginOptions();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Run directory (default: runs/ and the run's name).")
    private Optional<Path> out;

    @Option(
            names = "--checkpoint-seconds",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "Time between two checkpoints of training (default: 60).")
    private double checkpointSeconds;

    @Option(
            names = "--dry-run",
            description =
                    "Check the configuration and print what the run would do and what is done"
                            + " already; nothing is trained or written.")
    private boolean dryRun;

    @Override
    public void run() {
        RunConfig config =
                ConfigBinder.strict()
                        .bind(
                                overrides.over(ConfigNode.read(file), RunConfig.class),
                                RunConfig.class);
        requireSensibleInterval();
        Path directory = out.orElseGet(() -> Path.of("runs", config.name()));
        PrintWriter screen = spec.commandLine().getOut();
        if (dryRun) {
            PlanText.print(screen, withRuns(runs -> runs.plan(config, directory)));
            return;
        }
        RunReport report = withRuns(runs -> runs.run(config, directory));
        ResultText.print(screen, report);
        screen.println("Report: " + directory.resolve("report.html"));
    }

    private void requireSensibleInterval() {
        if (!(checkpointSeconds >= 0 && checkpointSeconds <= LONGEST_INTERVAL)) {
            throw new RunException(
                    "--checkpoint-seconds must be a number of seconds from 0 to "
                            + (long) LONGEST_INTERVAL
                            + ", was "
                            + checkpointSeconds);
        }
    }

    private <T> T withRuns(Function<PipelineRun, T> work) {
        try (PluginDirectories directories = plugins.open()) {
            return CommandContexts.stoppable(
                    spec.commandLine().getErr(),
                    Duration.ofMillis(Math.round(checkpointSeconds * 1000)),
                    contexts ->
                            work.apply(
                                    new PipelineRun(
                                            directories.discover(),
                                            contexts,
                                            Versions.recorded())));
        }
    }
}
