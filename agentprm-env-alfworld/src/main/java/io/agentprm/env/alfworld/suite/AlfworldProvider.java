package io.agentprm.env.alfworld.suite;

import io.agentprm.api.env.Environment;
import io.agentprm.api.plugin.EnvironmentProvider;
import io.agentprm.api.run.RunContext;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.game.GameFolder;
import io.agentprm.env.alfworld.game.TaskType;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;

/** The environment {@code alfworld}. */
public final class AlfworldProvider implements EnvironmentProvider<AlfworldConfig> {
    private static final String DATA = "ALFWORLD_DATA";

    @Override
    public String name() {
        return "alfworld";
    }

    @Override
    public String description() {
        return "Household games in text (ALFWorld): generated ones, or the released data.";
    }

    @Override
    public Class<AlfworldConfig> configuration() {
        return AlfworldConfig.class;
    }

    /**
     * Opens the suite; games of a split are loaded when they are first asked for.
     *
     * @throws AlfworldException if released games are wanted and the data folder is not named or
     *     does not hold them
     */
    @Override
    public Environment create(AlfworldConfig configuration, RunContext context) {
        return new AlfworldEnvironment(source(configuration), configuration);
    }

    private static GameSource source(AlfworldConfig configuration) {
        if (configuration.games() == AlfworldConfig.Origin.GENERATED) {
            return new GeneratedGames(configuration.generator());
        }
        Path data =
                configuration
                        .data()
                        .or(() -> Optional.ofNullable(System.getenv(DATA)).map(Path::of))
                        .orElseThrow(
                                () ->
                                        new AlfworldException(
                                                "released games are asked for, but neither the data"
                                                        + " option nor the environment variable "
                                                        + DATA
                                                        + " is set; set one to the folder that contains "
                                                        + GameFolder.RELEASE));
        EnumSet<TaskType> types =
                configuration.taskTypes().isEmpty()
                        ? EnumSet.allOf(TaskType.class)
                        : EnumSet.copyOf(configuration.taskTypes());
        return new ReleasedGames(
                GameFolder.open(data),
                configuration.splits(),
                new GameFolder.Filter(types, configuration.limit()));
    }
}
