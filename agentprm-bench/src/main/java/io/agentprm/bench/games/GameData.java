package io.agentprm.bench.games;

import io.agentprm.api.env.Environment;
import io.agentprm.api.run.RunContext;
import io.agentprm.env.alfworld.generator.GeneratorOptions;
import io.agentprm.env.alfworld.suite.AlfworldConfig;
import io.agentprm.env.alfworld.suite.AlfworldProvider;
import java.nio.file.Path;
import java.util.Optional;

/** The games to measure on: the released ones where {@code ALFWORLD_DATA} names them. */
final class GameData {
    static final String TRAIN = "train";
    static final String UNSEEN = "valid_unseen";

    private static final String DATA = "ALFWORLD_DATA";

    private GameData() {}

    static Environment open() {
        AlfworldConfig config =
                released()
                        .map(AlfworldConfig::released)
                        .orElseGet(() -> AlfworldConfig.generated(GeneratorOptions.standard(1)));
        return new AlfworldProvider().create(config, RunContext.ofSeed(1));
    }

    static String describe() {
        return released().isPresent()
                ? "released games of $" + DATA
                : "generated games ($" + DATA + " is not set)";
    }

    private static Optional<Path> released() {
        return Optional.ofNullable(System.getenv(DATA)).map(Path::of);
    }
}
