package io.agentprm.env.alfworld.suite;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.game.Engine;
import io.agentprm.env.alfworld.game.TaskType;
import io.agentprm.env.alfworld.generator.GeneratorOptions;
import io.agentprm.env.alfworld.generator.VariationOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Configuration of the environment {@code alfworld}. */
@Description("Household games in text: generated ones, or those released with ALFWorld.")
public record AlfworldConfig(
        @Description("Where the games come from.") @Default("generated") Origin games,
        @Description(
                        "Released games: the folder that contains json_2.1.1, or that folder itself;"
                                + " default is the environment variable ALFWORLD_DATA.")
                Optional<Path> data,
        @Description("Released games: splits that count; none means all that are there.")
                List<String> splits,
        @Description("Released games: task types that count; none means all six.")
                List<TaskType> taskTypes,
        @Description("Released games: keep the first so many of each split; 0 keeps all.")
                @Default("0")
                int limit,
        @Description("Generated games: what to make.") GeneratorOptions generator,
        @Description("Variations of the training games, as a further split train_varied.")
                VariationOptions variation,
        @Description("Largest number of actions of an episode, at least 1; part of the task.")
                @Default("50")
                int stepLimit,
        @Description("Give the task in the words of a person, from the game's annotations.")
                @Default("false")
                boolean humanGoals,
        @Description("Which engine plays.") @Default("auto") Engine engine) {
    private static final VariationOptions NO_VARIATION = VariationOptions.standard(0, 1);

    /** Where games come from. */
    public enum Origin {
        /** Made from a seed. */
        GENERATED,
        /** Read from files. */
        RELEASED
    }

    /**
     * Checks ranges.
     *
     * @throws AlfworldException if a number is out of range
     */
    public AlfworldConfig {
        splits = List.copyOf(splits);
        taskTypes = List.copyOf(taskTypes);
        if (stepLimit < 1) {
            throw new AlfworldException("step-limit must be 1 or more, was " + stepLimit);
        }
        if (limit < 0) {
            throw new AlfworldException("limit must be 0 or more, was " + limit);
        }
    }

    /** Released games with everything else by default. */
    public static AlfworldConfig released(Path data) {
        return new AlfworldConfig(
                Origin.RELEASED,
                Optional.of(data),
                List.of(),
                List.of(),
                0,
                GeneratorOptions.standard(1),
                NO_VARIATION,
                50,
                false,
                Engine.AUTO);
    }

    /** Generated games with everything else by default. */
    public static AlfworldConfig generated(GeneratorOptions options) {
        return new AlfworldConfig(
                Origin.GENERATED,
                Optional.empty(),
                List.of(),
                List.of(),
                0,
                options,
                NO_VARIATION,
                50,
                false,
                Engine.AUTO);
    }

    /** The same with variations of the training games as a further split. */
    public AlfworldConfig withVariation(VariationOptions other) {
        return new AlfworldConfig(
                games,
                data,
                splits,
                taskTypes,
                limit,
                generator,
                other,
                stepLimit,
                humanGoals,
                engine);
    }

    /** The same with another step limit. */
    public AlfworldConfig withStepLimit(int steps) {
        return new AlfworldConfig(
                games,
                data,
                splits,
                taskTypes,
                limit,
                generator,
                variation,
                steps,
                humanGoals,
                engine);
    }

    /** The same with goals in the words of people. */
    public AlfworldConfig withHumanGoals() {
        return new AlfworldConfig(
                games, data, splits, taskTypes, limit, generator, variation, stepLimit, true,
                engine);
    }

    /** The same with another engine. */
    public AlfworldConfig withEngine(Engine other) {
        return new AlfworldConfig(
                games,
                data,
                splits,
                taskTypes,
                limit,
                generator,
                variation,
                stepLimit,
                humanGoals,
                other);
    }
}
