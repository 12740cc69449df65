package io.agentprm.testkit;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.api.run.RandomSource;
import java.util.List;

/** A seat in a {@link ToyEnvironment}. */
final class ToySession implements Session {
    /** Observation after the end of an episode. */
    static final String OVER = "over";

    private final ToyMdp mdp;
    private RandomSource random = RandomSource.of(0);
    private String state = OVER;
    private int steps;
    private boolean running;

    ToySession(ToyMdp mdp) {
        this.mdp = mdp;
    }

    @Override
    public EpisodeStart reset(Task task, long seed) {
        String instruction = task.attributes().get(ToyEnvironment.INSTRUCTION);
        if (instruction == null || !mdp.starts().containsKey(instruction)) {
            throw new TestkitException(task + " is not a task of " + mdp.name());
        }
        random = RandomSource.of(seed).derive(task.id());
        state = mdp.starts().get(instruction);
        steps = 0;
        running = true;
        return EpisodeStart.of(instruction, observation());
    }

    @Override
    public StepResult step(Action action) {
        if (!running) {
            throw new TestkitException("no episode is running: call reset first");
        }
        boolean valid = mdp.actions(state).contains(action.text());
        ActionFeedback feedback =
                valid
                        ? new ActionFeedback.Valid()
                        : new ActionFeedback.Invalid(
                                "'" + action.text() + "' does nothing in " + state);
        ToyMdp.Effect effect = draw(mdp.effects(state, action.text()));
        steps++;
        if (effect instanceof ToyMdp.Ends ends) {
            boolean success = ends.outcome() == 1;
            return end(
                    feedback,
                    new EpisodeEnd.Terminated(
                            success ? EpisodeEnd.Reason.GOAL : EpisodeEnd.Reason.FAILURE,
                            ends.outcome(),
                            success));
        }
        state = ((ToyMdp.Goes) effect).state();
        if (steps == mdp.stepLimit()) {
            return end(feedback, new EpisodeEnd.Terminated(EpisodeEnd.Reason.STEP_LIMIT, 0, false));
        }
        return StepResult.running(observation(), 0, feedback);
    }

    private StepResult end(ActionFeedback feedback, EpisodeEnd.Terminated end) {
        running = false;
        state = OVER;
        return StepResult.terminated(Observation.text(OVER), end.outcome(), feedback, end);
    }

    private ToyMdp.Effect draw(List<ToyMdp.Effect> effects) {
        double point = random.derive(steps).generator().nextDouble();
        for (ToyMdp.Effect effect : effects) {
            point -= effect.probability();
            if (point < 0) {
                return effect;
            }
        }
        return effects.get(effects.size() - 1);
    }

    private Observation observation() {
        return Observation.text(state).withAdmissibleActions(mdp.actions(state));
    }

    @Override
    public Session fork() {
        ToySession copy = new ToySession(mdp);
        copy.random = random;
        copy.state = state;
        copy.steps = steps;
        copy.running = running;
        return copy;
    }

    @Override
    public void close() {
        running = false;
    }
}
