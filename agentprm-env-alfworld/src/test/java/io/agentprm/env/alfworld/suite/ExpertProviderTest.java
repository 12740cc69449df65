package io.agentprm.env.alfworld.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.plugin.Components;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.rollout.Rollouts;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.expert.ExpertKind;
import io.agentprm.env.alfworld.expert.ExpertOptions;
import io.agentprm.env.alfworld.generator.GeneratorOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExpertProviderTest {
    private static final RunContext CONTEXT = RunContext.ofSeed(1);

    private final Environment suite =
            new AlfworldProvider()
                    .create(
                            AlfworldConfig.generated(
                                            GeneratorOptions.small(4).withGames(100, 20, 20))
                                    .withStepLimit(30),
                            CONTEXT);

    @Test
    void explorerAndPlannerWinTheSuitesUnseenGames() {
        for (ExpertKind kind : List.of(ExpertKind.EXPLORER, ExpertKind.PLANNER)) {
            Policy expert = expert(ExpertOptions.of(kind));
            for (Task task : suite.tasks("valid_unseen")) {
                EpisodeEnd.Terminated end = play(task, expert);
                assertTrue(end.success(), kind + " lost " + task);
            }
        }
    }

    @Test
    void randomActionsDoNotWin() {
        Policy random = expert(ExpertOptions.of(ExpertKind.RANDOM));
        long won =
                suite.tasks("valid_unseen").stream().filter(t -> play(t, random).success()).count();

        assertTrue(won <= 2, won + " of 20 won");
    }

    @Test
    void aSplitThatIsNotThereIsRefused() {
        ExpertOptions elsewhere =
                new ExpertOptions(
                        ExpertKind.EXPLORER,
                        io.agentprm.env.alfworld.expert.SearchOrder.PRIOR,
                        0,
                        0,
                        "nowhere",
                        0);

        AlfworldException refused = assertThrows(AlfworldException.class, () -> expert(elsewhere));

        assertTrue(refused.getMessage().contains("nowhere"));
    }

    @Test
    void itsNameIsThatOfConfigurations() {
        assertEquals("alfworld-expert", new ExpertProvider().name());
    }

    private Policy expert(ExpertOptions options) {
        return new ExpertProvider().create(options, new OnlyEnvironment(suite), CONTEXT);
    }

    private EpisodeEnd.Terminated play(Task task, Policy policy) {
        try (Session session = suite.open()) {
            State state = State.initial(task, session.reset(task, 1));
            while (true) {
                RandomSource random = RandomSource.of(1).derive(task.id()).derive(state.turn());
                Decision decision =
                        policy.decide(
                                        List.of(
                                                DecisionRequest.of(
                                                        state,
                                                        new EpisodeId(task.id(), 0),
                                                        1,
                                                        random)))
                                .get(0)
                                .get(0);
                StepResult result = session.step(decision.action());
                if (result.end().isPresent()) {
                    return result.end().get();
                }
                state = state.next(decision, result.observation());
            }
        }
    }

    private record OnlyEnvironment(Environment environment) implements Components {
        @Override
        public Policy policy() {
            throw new UnsupportedOperationException("no policy here");
        }

        @Override
        public RewardModel rewardModel() {
            throw new UnsupportedOperationException("no reward model here");
        }

        @Override
        public InferenceEngine engine() {
            throw new UnsupportedOperationException("no engine here");
        }

        @Override
        public Rollouts rollouts() {
            throw new UnsupportedOperationException("no rollouts here");
        }
    }
}
