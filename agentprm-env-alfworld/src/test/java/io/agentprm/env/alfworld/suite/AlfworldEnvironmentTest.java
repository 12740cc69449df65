package io.agentprm.env.alfworld.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.api.run.RunContext;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.generator.GeneratorOptions;
import io.agentprm.testkit.EnvironmentContract;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The environment keeps the contract of environments, and the rules of the benchmark. */
class AlfworldEnvironmentTest extends EnvironmentContract {
    private static final AlfworldConfig CONFIG =
            AlfworldConfig.generated(GeneratorOptions.small(7).withGames(4, 2, 2));

    @Override
    protected Environment openEnvironment() {
        return open(CONFIG);
    }

    @Override
    protected Action invalidAction() {
        return Action.text("fly to the moon");
    }

    @Test
    void theWalkthroughReachesTheGoal() {
        try (AlfworldEnvironment environment = open(CONFIG);
                Session session = environment.open()) {
            Task task = environment.tasks("valid_unseen").get(0);
            session.reset(task, 1);
            List<String> plan = environment.game(task).walkthrough();
            for (int i = 0; i < plan.size() - 1; i++) {
                assertTrue(session.step(Action.text(plan.get(i))).end().isEmpty());
            }
            StepResult last = session.step(Action.text(plan.get(plan.size() - 1)));
            EpisodeEnd.Terminated end = last.end().orElseThrow();
            assertEquals(EpisodeEnd.Reason.GOAL, end.reason());
            assertEquals(1, last.reward());
        }
    }

    @Test
    void theStepLimitIsAFailureThatCountsInvalidActionsToo() {
        try (Environment environment = open(CONFIG.withStepLimit(3));
                Session session = environment.open()) {
            session.reset(environment.tasks("train").get(0), 1);
            assertFalse(session.step(invalidAction()).feedback().valid());
            assertTrue(session.step(Action.text("look")).end().isEmpty());
            StepResult last = session.step(Action.text("inventory"));
            EpisodeEnd.Terminated end = last.end().orElseThrow();
            assertEquals(EpisodeEnd.Reason.STEP_LIMIT, end.reason());
            assertEquals(0, end.outcome());
            assertThrows(AlfworldException.class, () -> session.step(Action.text("look")));
        }
    }

    @Test
    void aTaskCarriesItsTypeAndItsSentence() {
        try (Environment environment = open(CONFIG);
                Session session = environment.open()) {
            Task task = environment.tasks("train").get(1);
            String instruction = task.attributes().get(AlfworldEnvironment.INSTRUCTION);
            assertTrue(task.id().startsWith("train/" + task.category() + "-"), task.id());
            assertEquals(instruction, session.reset(task, 1).instruction());
            assertTrue(
                    session.reset(task, 1)
                            .observation()
                            .text()
                            .endsWith("Your task is to: " + instruction + "."));
        }
    }

    @Test
    void humanGoalsThatAreNotThereAreRefusedByName() {
        try (Environment environment = open(CONFIG.withHumanGoals())) {
            AlfworldException e =
                    assertThrows(AlfworldException.class, () -> environment.tasks("train"));
            assertTrue(e.getMessage().contains("has no human goals"), e.getMessage());
        }
    }

    private static AlfworldEnvironment open(AlfworldConfig config) {
        return (AlfworldEnvironment) new AlfworldProvider().create(config, RunContext.ofSeed(1));
    }
}
