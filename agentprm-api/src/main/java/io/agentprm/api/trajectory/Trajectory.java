package io.agentprm.api.trajectory;

import io.agentprm.api.Stable;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** One finished episode. Immutable. */
@Stable(since = "1.0")
public final class Trajectory {
    private final Task task;
    private final int episode;
    private final long seed;
    private final String instruction;
    private final List<Turn> turns;
    private final Observation finalObservation;
    private final EpisodeEnd end;
    private final String policyId;

    private Trajectory(Builder builder, Observation finalObservation, EpisodeEnd end) {
        this.task = builder.task;
        this.episode = builder.episode;
        this.seed = builder.seed;
        this.instruction = builder.instruction;
        this.turns = List.copyOf(builder.turns);
        this.policyId = builder.policyId;
        this.finalObservation = finalObservation;
        this.end = end;
    }

    public static Builder builder(Task task, String instruction) {
        return new Builder(task, instruction);
    }

    public Task task() {
        return task;
    }

    public EpisodeId id() {
        return new EpisodeId(task.id(), episode);
    }

    public int episode() {
        return episode;
    }

    /** The seed given to the session's reset. */
    public long seed() {
        return seed;
    }

    public String instruction() {
        return instruction;
    }

    public List<Turn> turns() {
        return turns;
    }

    /** Number of turns. */
    public int length() {
        return turns.size();
    }

    /** The observation after the last action; what a truncated episode is bootstrapped from. */
    public Observation finalObservation() {
        return finalObservation;
    }

    public EpisodeEnd end() {
        return end;
    }

    /** Who decided; empty text if unknown. */
    public String policyId() {
        return policyId;
    }

    /** Outcome reward in [0, 1]; empty unless the episode terminated. */
    public OptionalDouble outcome() {
        return end instanceof EpisodeEnd.Terminated terminated
                ? OptionalDouble.of(terminated.outcome())
                : OptionalDouble.empty();
    }

    /** True if the episode terminated with success. */
    public boolean success() {
        return end instanceof EpisodeEnd.Terminated terminated && terminated.success();
    }

    /** States before each turn and after the last: length() + 1 elements. */
    public List<State> states() {
        List<State> states = new ArrayList<>(turns.size() + 1);
        Observation first = turns.isEmpty() ? finalObservation : turns.get(0).observation();
        State state = State.initial(task, EpisodeStart.of(instruction, first));
        states.add(state);
        for (int t = 0; t < turns.size(); t++) {
            Observation next =
                    t + 1 < turns.size() ? turns.get(t + 1).observation() : finalObservation;
            state = state.next(turns.get(t).decision(), next);
            states.add(state);
        }
        return states;
    }

    /** Collects the turns of a running episode. */
    public static final class Builder {
        private final Task task;
        private final String instruction;
        private final List<Turn> turns = new ArrayList<>();
        private int episode;
        private long seed;
        private String policyId = "";

        private Builder(Task task, String instruction) {
            this.task = task;
            this.instruction = instruction;
        }

        public Builder episode(int value) {
            episode = value;
            return this;
        }

        public Builder seed(long value) {
            seed = value;
            return this;
        }

        public Builder policyId(String value) {
            policyId = value;
            return this;
        }

        public Builder add(Turn turn) {
            turns.add(turn);
            return this;
        }

        public Trajectory end(Observation finalObservation, EpisodeEnd how) {
            return new Trajectory(this, finalObservation, how);
        }
    }
}
