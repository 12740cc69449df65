package io.agentprm.core.rollout;

import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.rollout.RolloutPlan;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One running episode. Its session is touched by one call at a time and closed exactly once. */
final class Episode {
    private static final Logger LOG = LoggerFactory.getLogger(Episode.class);

    private final int index;
    private final Task task;
    private final EpisodeId id;
    private final RandomSource random;
    private final int turnBudget;
    private final int stepLimit;
    private final String policyId;
    private Optional<Session> session = Optional.empty();
    private Optional<Trajectory.Builder> turns = Optional.empty();
    private Optional<State> state = Optional.empty();

    /**
     * Makes an episode.
     *
     * @param index place in the plan's result
     * @param stepLimit number of turns at which the environment ends the episode; 0 if it tells
     *     none
     */
    Episode(int index, RolloutPlan plan, String policyId, int stepLimit) {
        this.index = index;
        this.task = plan.tasks().get(index / plan.episodesPerTask());
        this.id = new EpisodeId(task.id(), plan.firstEpisode() + index % plan.episodesPerTask());
        this.random = plan.random().derive(task.id()).derive(id.episode());
        this.turnBudget = plan.turnBudget();
        this.stepLimit = stepLimit;
        this.policyId = policyId;
    }

    int index() {
        return index;
    }

    EpisodeId id() {
        return id;
    }

    /** The call that opens a session and resets it. */
    Call<EpisodeStart> start(Environment environment, Runnable late) {
        return new Call<>(
                () -> {
                    Session opened = Objects.requireNonNull(environment.open(), "open gave null");
                    synchronized (this) {
                        session = Optional.of(opened);
                    }
                    return Objects.requireNonNull(opened.reset(task, seed()), "reset gave null");
                },
                () -> closeLate(late));
    }

    void started(EpisodeStart start) {
        turns =
                Optional.of(
                        Trajectory.builder(task, start.instruction())
                                .episode(id.episode())
                                .seed(seed())
                                .policyId(policyId));
        state = Optional.of(State.initial(task, start));
    }

    DecisionRequest request() {
        State now = state.orElseThrow();
        return DecisionRequest.of(now, id, 1, random.derive("decision").derive(now.turn()));
    }

    Call<StepResult> step(Decision decision, Runnable late) {
        Session acting;
        synchronized (this) {
            acting = session.orElseThrow();
        }
        return new Call<>(
                () -> Objects.requireNonNull(acting.step(decision.action()), "step gave null"),
                () -> closeLate(late));
    }

    /** Notes a step; present if the episode ended with it. */
    Optional<Trajectory> stepped(Decision decision, StepResult result) {
        State now = state.orElseThrow();
        turns.orElseThrow()
                .add(Turn.of(now.observation(), decision, result.feedback(), result.reward()));
        State next = now.next(decision, result.observation());
        state = Optional.of(next);
        if (result.end().isPresent()) {
            return Optional.of(end(result.end().get()));
        }
        if (turnBudget > 0 && next.turn() >= turnBudget) {
            return Optional.of(
                    end(new EpisodeEnd.Truncated("turn budget of " + turnBudget + " is spent")));
        }
        if (stepLimit > 0 && next.turn() >= stepLimit) {
            return Optional.of(
                    abort(
                            "step "
                                    + next.turn()
                                    + ": the episode goes on, but the environment's info() tells a"
                                    + " step limit of "
                                    + stepLimit));
        }
        return Optional.empty();
    }

    Trajectory abort(String cause) {
        return end(new EpisodeEnd.Aborted(cause));
    }

    private Trajectory end(EpisodeEnd how) {
        Trajectory.Builder builder =
                turns.orElseGet(
                        () ->
                                Trajectory.builder(task, "")
                                        .episode(id.episode())
                                        .seed(seed())
                                        .policyId(policyId));
        return builder.end(
                state.map(State::observation).orElseGet(() -> Observation.text("")), how);
    }

    int turn() {
        return state.map(State::turn).orElse(0);
    }

    /** The call that closes the session if it is open. */
    Call<Boolean> closing() {
        return new Call<>(
                () -> {
                    close();
                    return true;
                },
                () -> {});
    }

    /** Closes the session if it is open; a second time does nothing. */
    private void close() {
        Optional<Session> closing;
        synchronized (this) {
            closing = session;
            session = Optional.empty();
        }
        closing.ifPresent(Session::close);
    }

    private void closeLate(Runnable late) {
        late.run();
        try {
            close();
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("episode {}: its session did not close: {}", id, e.toString());
        }
    }

    private long seed() {
        return random.derive("session").seed();
    }
}
