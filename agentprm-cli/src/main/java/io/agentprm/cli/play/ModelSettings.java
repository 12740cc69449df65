package io.agentprm.cli.play;

import io.agentprm.api.config.Default;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.run.RunDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How a model is run and what its scores mean: as the run or the training that made it says. Other
 * keys are not looked at.
 *
 * @param engine what runs it
 * @param models how it is made and rendered
 * @param prm learner of reward models, as a training from trajectories names it
 * @param loop the iterated part of a run
 */
public record ModelSettings(
        @Default("djl") ComponentConfig engine,
        @Default("transformer") ComponentConfig models,
        Optional<ComponentConfig> prm,
        Optional<Loop> loop) {
    /**
     * What is needed of the iterated part.
     *
     * @param prm learner of the reward models
     */
    public record Loop(@Default("prm") ComponentConfig prm) {}

    /** By the nearest run directory around a model directory; the defaults where there is none. */
    static ModelSettings of(Path model) {
        Path directory = model.toAbsolutePath().normalize();
        while (directory != null) {
            if (Files.isRegularFile(directory.resolve(RunDirectory.INFO))
                    && Files.isRegularFile(directory.resolve(RunDirectory.CONFIG))) {
                return bind(RunDirectory.config(directory));
            }
            directory = directory.getParent();
        }
        return bind(ConfigNode.parse("{}", "defaults"));
    }

    private static ModelSettings bind(ConfigNode config) {
        return ConfigBinder.tolerant().bind(config, ModelSettings.class);
    }

    /** The learner that says what scores mean. */
    ComponentConfig learner() {
        return prm.or(() -> loop.map(Loop::prm)).orElseGet(() -> ComponentConfig.of("prm"));
    }
}
