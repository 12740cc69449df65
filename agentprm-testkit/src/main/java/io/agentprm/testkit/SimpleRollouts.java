package io.agentprm.testkit;

import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.rollout.RolloutPlan;
import io.agentprm.api.rollout.Rollouts;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Plays one episode after the other, without deadlines: for tests of algorithms. */
public final class SimpleRollouts implements Rollouts {
    private final Environment environment;

    private SimpleRollouts(Environment environment) {
        this.environment = environment;
    }

    public static SimpleRollouts of(Environment environment) {
        return new SimpleRollouts(environment);
    }

    @Override
    public List<Trajectory> collect(Policy policy, RolloutPlan plan) {
        List<Trajectory> result = new ArrayList<>();
        for (Task task : plan.tasks()) {
            for (int i = 0; i < plan.episodesPerTask(); i++) {
                int episode = plan.firstEpisode() + i;
                RandomSource random = plan.random().derive(task.id()).derive(episode);
                result.add(play(policy, task, episode, plan.turnBudget(), random));
            }
        }
        return result;
    }

    private Trajectory play(
            Policy policy, Task task, int episode, int budget, RandomSource random) {
        long seed = random.derive("environment").seed();
        EpisodeId id = new EpisodeId(task.id(), episode);
        try (Session session = environment.open()) {
            EpisodeStart start = session.reset(task, seed);
            Trajectory.Builder trajectory =
                    Trajectory.builder(task, start.instruction())
                            .episode(episode)
                            .seed(seed)
                            .policyId(policy.id());
            State state = State.initial(task, start);
            Optional<EpisodeEnd> end = Optional.empty();
            while (end.isEmpty()) {
                Decision decision =
                        policy.decide(
                                        List.of(
                                                DecisionRequest.of(
                                                        state,
                                                        id,
                                                        1,
                                                        random.derive("turn")
                                                                .derive(state.turn()))))
                                .get(0)
                                .get(0);
                StepResult result = session.step(decision.action());
                trajectory.add(
                        Turn.of(state.observation(), decision, result.feedback(), result.reward()));
                state = state.next(decision, result.observation());
                end = result.end().map(EpisodeEnd.class::cast);
                if (end.isEmpty() && state.turn() == budget) {
                    end = Optional.of(new EpisodeEnd.Truncated("turn budget of " + budget));
                }
            }
            return trajectory.end(state.observation(), end.get());
        } finally {
            policy.release(id);
        }
    }
}
