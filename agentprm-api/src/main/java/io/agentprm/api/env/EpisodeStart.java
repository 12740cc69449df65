package io.agentprm.api.env;

import io.agentprm.api.Stable;
import java.util.Objects;

/** What {@link Session#reset} returns: the instruction in words and the first observation. */
@Stable(since = "1.0")
public final class EpisodeStart {
    private final String instruction;
    private final Observation observation;

    private EpisodeStart(String instruction, Observation observation) {
        this.instruction = Objects.requireNonNull(instruction, "instruction");
        this.observation = Objects.requireNonNull(observation, "observation");
    }

    public static EpisodeStart of(String instruction, Observation observation) {
        return new EpisodeStart(instruction, observation);
    }

    /** The task in words, such as {@code put a clean mug in desk}. */
    public String instruction() {
        return instruction;
    }

    public Observation observation() {
        return observation;
    }
}
