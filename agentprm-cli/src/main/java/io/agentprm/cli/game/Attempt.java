package io.agentprm.cli.game;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import java.util.Optional;

/** One episode that a person plays, from its start to its end. Not thread-safe. */
public final class Attempt implements AutoCloseable {
    private final Session session;
    private final EpisodeId id;
    private final Trajectory.Builder turns;
    private State state;
    private Optional<StepResult> last = Optional.empty();
    private Optional<Trajectory> finished = Optional.empty();

    private Attempt(Session session, EpisodeId id, Trajectory.Builder turns, State state) {
        this.session = session;
        this.id = id;
        this.turns = turns;
        this.state = state;
    }

    /**
     * Starts an episode.
     *
     * @param number of the attempt at this task, from 0
     * @param player who plays, for the record
     */
    public static Attempt start(
            Environment environment, Task task, int number, long seed, String player) {
        Session session = environment.open();
        try {
            EpisodeStart start = session.reset(task, seed);
            return new Attempt(
                    session,
                    new EpisodeId(task.id(), number),
                    Trajectory.builder(task, start.instruction())
                            .episode(number)
                            .seed(seed)
                            .policyId(player),
                    State.initial(task, start));
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /** What is played in, for those who know its kind. */
    public Session session() {
        return session;
    }

    public EpisodeId id() {
        return id;
    }

    /** What has been seen and done so far. */
    public State state() {
        return state;
    }

    /** What the last action brought; empty before the first. */
    public Optional<StepResult> last() {
        return last;
    }

    /** The whole episode once it has ended. */
    public Optional<Trajectory> finished() {
        return finished;
    }

    /** Acts in an episode that has not ended. */
    public StepResult act(String action) {
        StepResult result = session.step(Action.text(action));
        Decision decision = Decision.of(action);
        turns.add(Turn.of(state.observation(), decision, result.feedback(), result.reward()));
        state = state.next(decision, result.observation());
        last = Optional.of(result);
        finished = result.end().map(end -> turns.end(result.observation(), end));
        return result;
    }

    @Override
    public void close() {
        session.close();
    }
}
