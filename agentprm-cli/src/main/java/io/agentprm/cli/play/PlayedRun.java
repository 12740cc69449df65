package io.agentprm.cli.play;

import io.agentprm.core.RunException;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.run.RunDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a game needs of a run's configuration; its other keys are not looked at.
 *
 * @param environment where the run's agent acted
 */
public record PlayedRun(ComponentConfig environment) {
    static PlayedRun of(Path run) {
        return ConfigBinder.tolerant().bind(RunDirectory.config(run), PlayedRun.class);
    }

    /**
     * The reward model of the run's last iteration that has one.
     *
     * @throws RunException if there is none yet
     */
    static Path lastRewardModel(Path run) {
        Optional<Path> last = Optional.empty();
        for (int i = 1; ; i++) {
            Path model = run.resolve("iteration-" + i).resolve("prm").resolve("model");
            if (!Files.isDirectory(model)) {
                break;
            }
            last = Optional.of(model);
        }
        return last.orElseThrow(
                () ->
                        new RunException(
                                run
                                        + " has no reward model yet (iteration-1/prm/model);"
                                        + " let the run go on, or play without --run"));
    }
}
