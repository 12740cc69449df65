package io.agentprm.env.alfworld.suite;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.api.run.RandomSource;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.engine.GameSession;
import io.agentprm.env.alfworld.game.Game;
import java.util.List;
import java.util.Optional;

/** One seat. The seed matters only for the choice among human goals; the games have no chance. */
final class AlfworldSession implements Session {
    private static final ActionFeedback VALID = new ActionFeedback.Valid();
    private static final EpisodeEnd.Terminated GOAL =
            new EpisodeEnd.Terminated(EpisodeEnd.Reason.GOAL, 1, true);
    private static final EpisodeEnd.Terminated STEP_LIMIT =
            new EpisodeEnd.Terminated(EpisodeEnd.Reason.STEP_LIMIT, 0, false);

    private final AlfworldEnvironment environment;
    private final AlfworldConfig config;
    private Optional<GameSession> game = Optional.empty();
    private int steps;

    AlfworldSession(AlfworldEnvironment environment, AlfworldConfig config) {
        this.environment = environment;
        this.config = config;
    }

    @Override
    public EpisodeStart reset(Task task, long seed) {
        Game chosen = environment.game(task);
        String instruction = chosen.instruction();
        GameSession session;
        if (config.humanGoals()) {
            List<String> goals = chosen.humanGoals();
            int pick =
                    RandomSource.of(seed)
                            .derive("human-goal")
                            .derive(task.id())
                            .generator()
                            .nextInt(goals.size());
            instruction = goals.get(pick);
            session = chosen.openWithGoal(config.engine(), instruction);
        } else {
            session = chosen.open(config.engine());
        }
        game = Optional.of(session);
        steps = 0;
        return EpisodeStart.of(instruction, observation(session.reset(), session));
    }

    @Override
    public StepResult step(Action action) {
        GameSession session =
                game.orElseThrow(
                        () ->
                                new AlfworldException(
                                        "no episode is running; call reset first and stop stepping"
                                                + " when a result has an end"));
        Observation observation = observation(session.step(action.text()), session);
        steps++;
        ActionFeedback feedback =
                session.accepted()
                        ? VALID
                        : new ActionFeedback.Invalid(
                                "'" + action.text() + "' is not an admissible command now");
        if (session.won()) {
            game = Optional.empty();
            return StepResult.terminated(observation, 1, feedback, GOAL);
        }
        if (steps >= config.stepLimit()) {
            game = Optional.empty();
            return StepResult.terminated(observation, 0, feedback, STEP_LIMIT);
        }
        return StepResult.running(observation, 0, feedback);
    }

    @Override
    public Session fork() {
        AlfworldSession copy = new AlfworldSession(environment, config);
        copy.game = game.map(GameSession::copy);
        copy.steps = steps;
        return copy;
    }

    @Override
    public void close() {
        game = Optional.empty();
    }

    private static Observation observation(String text, GameSession session) {
        return Observation.text(text).withAdmissibleActions(session.admissible());
    }
}
