package io.agentprm.api.trajectory;

import io.agentprm.api.Stable;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What a policy may know when it decides: the task, everything seen and done so far, and the
 * current observation; an immutable prefix of a trajectory that shares its past with its
 * successors.
 */
@Stable(since = "1.0")
public final class State {
    /** A past turn: what was seen and what was decided on it. */
    public record Past(Observation observation, Decision decision) {}

    private final Task task;
    private final String instruction;
    private final Observation observation;
    private final Optional<State> previous;
    private final Optional<Decision> decision;
    private final int turn;

    private State(
            Task task,
            String instruction,
            Observation observation,
            Optional<State> previous,
            Optional<Decision> decision,
            int turn) {
        this.task = task;
        this.instruction = instruction;
        this.observation = observation;
        this.previous = previous;
        this.decision = decision;
        this.turn = turn;
    }

    /** The state before the first action. */
    public static State initial(Task task, EpisodeStart start) {
        return new State(
                task,
                start.instruction(),
                start.observation(),
                Optional.empty(),
                Optional.empty(),
                0);
    }

    /** The state after a decision was executed and answered by an observation. */
    public State next(Decision decided, Observation answer) {
        return new State(
                task, instruction, answer, Optional.of(this), Optional.of(decided), turn + 1);
    }

    public Task task() {
        return task;
    }

    public String instruction() {
        return instruction;
    }

    /** The current observation. */
    public Observation observation() {
        return observation;
    }

    /** The state before the last decision; empty at the start. */
    public Optional<State> previous() {
        return previous;
    }

    /** The decision that led here; empty at the start. */
    public Optional<Decision> lastDecision() {
        return decision;
    }

    /** Number of decisions taken so far. */
    public int turn() {
        return turn;
    }

    /** Past turns from the first to the last; length {@link #turn()}. */
    public List<Past> history() {
        Deque<Past> past = new ArrayDeque<>(turn);
        State state = this;
        while (state.previous.isPresent()) {
            State before = state.previous.get();
            past.addFirst(new Past(before.observation, state.decision.orElseThrow()));
            state = before;
        }
        return List.copyOf(past);
    }
}
