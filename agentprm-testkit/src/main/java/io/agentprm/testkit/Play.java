package io.agentprm.testkit;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.api.run.RandomSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * An episode under way with everything that was seen of it, one line a step. Its actions depend on
 * task, seed, step and observation only, so two plays of one task differ only if the environment
 * does.
 */
final class Play {
    /** Where a play is given up. */
    static final int MOST_STEPS = 60;

    /** Chooses the actions. */
    @FunctionalInterface
    interface Actor {
        Action act(Observation observation, RandomGenerator random);
    }

    private final Session session;
    private final RandomSource random;
    private final Actor actor;
    private final List<String> seen = new ArrayList<>();
    private Observation observation = Observation.text("");
    private Optional<StepResult> last = Optional.empty();
    private int steps;

    private Play(Session session, RandomSource random, Actor actor) {
        this.session = session;
        this.random = random;
        this.actor = actor;
    }

    /** Resets the session and looks at the first observation. */
    static Play start(Session session, Task task, long seed, Actor actor) {
        Play play = new Play(session, RandomSource.of(seed).derive(task.id()), actor);
        EpisodeStart start = session.reset(task, seed);
        play.observation = start.observation();
        play.seen.add(start.instruction() + " | " + describe(start.observation()));
        return play;
    }

    /** The same play, going on in another session. */
    Play in(Session other) {
        Play play = new Play(other, random, actor);
        play.seen.addAll(seen);
        play.observation = observation;
        play.last = last;
        play.steps = steps;
        return play;
    }

    boolean running() {
        return last.flatMap(StepResult::end).isEmpty() && steps < MOST_STEPS;
    }

    /** True if the environment ended the episode. */
    boolean ended() {
        return last.flatMap(StepResult::end).isPresent();
    }

    Action nextAction() {
        return actor.act(observation, random.derive(steps).generator());
    }

    StepResult step() {
        Action action = nextAction();
        StepResult result = session.step(action);
        steps++;
        observation = result.observation();
        last = Optional.of(result);
        seen.add(action.text() + " > " + describe(result));
        return result;
    }

    Play steps(int number) {
        for (int i = 0; i < number && running(); i++) {
            step();
        }
        return this;
    }

    Play toTheEnd() {
        return steps(MOST_STEPS);
    }

    Observation observation() {
        return observation;
    }

    List<String> seen() {
        return seen;
    }

    private static String describe(Observation observation) {
        return observation.text() + " " + observation.admissibleActions();
    }

    private static String describe(StepResult result) {
        return describe(result.observation())
                + " "
                + result.reward()
                + " "
                + result.feedback()
                + " "
                + result.end();
    }
}
