package io.agentprm.core.pipeline;

import io.agentprm.api.env.EnvironmentInfo;
import io.agentprm.core.run.RunSnapshot;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a run would do.
 *
 * @param name name of the run
 * @param directory its directory
 * @param begun whether there is a run in it already
 * @param environment where the agents act
 * @param engine the engine's name and effective device
 * @param models how the agents' models are made
 * @param parameters most weights of a model, where that is known
 * @param demonstrations most episodes of the expert
 * @param rollouts episodes to learn from, of all iterations
 * @param evaluations episodes of all evaluations
 * @param trained number of models that are kept
 * @param stages in the order in which they are done
 */
public record RunPlan(
        String name,
        Path directory,
        boolean begun,
        EnvironmentInfo environment,
        String engine,
        String models,
        OptionalLong parameters,
        long demonstrations,
        long rollouts,
        long evaluations,
        int trained,
        List<Stage> stages) {
    private static final int BYTES_PER_WEIGHT = 4;

    /** Keeps the stages from changing. */
    public RunPlan {
        stages = List.copyOf(stages);
    }

    /**
     * A stage of the run.
     *
     * @param name path of its directory below the run's
     * @param work what it comes to, in words
     * @param progress how far it has come
     */
    public record Stage(String name, String work, RunSnapshot.Progress progress) {}

    /** Bytes of the weights of all models that are kept, where the size of one is known. */
    public OptionalLong modelBytes() {
        return parameters.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(BYTES_PER_WEIGHT * trained * parameters.getAsLong());
    }
}
