package consumer;

import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.context.ContextFactory;
import io.agentprm.core.context.ProgressDisplay;
import io.agentprm.core.context.StopSignal;
import io.agentprm.core.files.DurableFiles;
import io.agentprm.core.pipeline.PipelineRun;
import io.agentprm.core.pipeline.RunConfig;
import io.agentprm.core.plugin.Plugins;
import io.agentprm.core.report.Comparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;

/** A run by its configuration, in a program of named modules only. */
public final class OnTheModulePath {
    private static final String CONFIGURATION =
            """
            name: consumer
            environment: {type: toy-mdp, process: stochastic-house, tasks-per-split: 40}
            engine: tabular
            models: {type: tabular, process: stochastic-house}
            demonstrations:
              expert: {type: toy-expert, process: stochastic-house, noise: 0.8}
              episodes: 2
              successful-only: false
            sft: {type: sft, epochs: 2, batch-trajectories: 8, learning-rate: 0.05}
            loop:
              iterations: 1
              prm: {type: prm, epochs: 4, learning-rate: 0.2}
              optimizer: {type: online-dpo, steps: 40, prompts-per-step: 64, learning-rate: 0.03, beta: 0.1}
            evaluation: {split: valid, episodes: 4, temperature: 1.0, best-of-n: {type: best-of-n, n: 4, temperature: 1.0}}
            """;

    public static void main(String[] arguments) throws IOException {
        if (!Plugins.class.getModule().isNamed() || !OnTheModulePath.class.getModule().isNamed()) {
            throw new AssertionError("this program belongs on the module path");
        }
        ContextFactory contexts =
                new ContextFactory(
                        Clock.systemUTC(),
                        new ProgressDisplay(new StringBuilder(), false, Clock.systemUTC()),
                        new StopSignal(),
                        Duration.ofMinutes(1),
                        DurableFiles.standard());
        RunConfig config =
                ConfigBinder.strict()
                        .bind(ConfigNode.parse(CONFIGURATION, "consumer"), RunConfig.class);
        PipelineRun run = new PipelineRun(Plugins.discover(), contexts, Map.of());
        Path directory = Files.createTempDirectory(Path.of(arguments[0]), "run");
        for (Comparison comparison : run.run(config, directory).comparisons()) {
            System.out.println(comparison);
            if (comparison.agent().equals("pi-1") && comparison.difference().low() > 0) {
                return;
            }
        }
        throw new AssertionError("pi-1 is not better than pi-0");
    }
}
