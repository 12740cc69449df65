package io.agentprm.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.env.Action;
import io.agentprm.api.env.Capability;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.api.run.RandomSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Environment} promises. Extend it in a test of your own:
 *
 * <pre>{@code
 * class MyEnvironmentTest extends EnvironmentContract {
 *     @Override protected Environment openEnvironment() { return new MyEnvironment(); }
 *     @Override protected Action invalidAction() { return Action.text("fly to the moon"); }
 * }
 * }</pre>
 */
public abstract class EnvironmentContract {
    private static final int MOST_TASKS = 8;
    private static final int MOST_STEPS = 60;

    private Environment environment;

    /** A fresh environment; closed after each test. */
    protected abstract Environment openEnvironment();

    /** An action that is invalid in the first state of every task. */
    protected abstract Action invalidAction();

    /** Some action; by default any admissible one, so environments without a list override this. */
    protected Action anyAction(Observation observation, RandomGenerator random) {
        List<String> actions =
                observation
                        .admissibleActions()
                        .filter(list -> !list.isEmpty())
                        .orElseThrow(
                                () ->
                                        new TestkitException(
                                                "no admissible actions are listed: override"
                                                        + " anyAction"));
        return Action.text(actions.get(random.nextInt(actions.size())));
    }

    @BeforeEach
    final void openFreshEnvironment() {
        environment = openEnvironment();
    }

    @AfterEach
    final void closeEnvironment() {
        environment.close();
    }

    private List<Task> someTasks() {
        List<Task> tasks =
                environment.splits().stream()
                        .map(environment::tasks)
                        .filter(list -> !list.isEmpty())
                        .findFirst()
                        .orElseThrow(() -> new TestkitException("every split is empty"));
        return tasks.subList(0, Math.min(MOST_TASKS, tasks.size()));
    }

    /** Plays with random actions and writes down everything that can be seen. */
    private List<String> play(Task task, long seed) {
        List<String> seen = new ArrayList<>();
        try (Session session = environment.open()) {
            EpisodeStart start = session.reset(task, seed);
            seen.add(start.instruction() + " | " + describe(start.observation()));
            Observation observation = start.observation();
            for (int step = 0; step < MOST_STEPS; step++) {
                RandomGenerator random = RandomSource.of(seed).derive(step).generator();
                Action action = anyAction(observation, random);
                StepResult result = session.step(action);
                seen.add(action.text() + " > " + describe(result));
                observation = result.observation();
                if (result.end().isPresent()) {
                    break;
                }
            }
        }
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

    @Test
    final void tasksAreListedInTheSameOrderWithUniqueIdsAndDisjointSplits() {
        Set<String> ids = new HashSet<>();
        assertFalse(environment.splits().isEmpty());
        for (String split : environment.splits()) {
            List<Task> tasks = environment.tasks(split);
            assertEquals(tasks, environment.tasks(split));
            for (Task task : tasks) {
                assertEquals(split, task.split());
                assertTrue(ids.add(task.id()), "id used twice: " + task);
            }
        }
    }

    @Test
    final void anUnknownSplitIsAnErrorThatNamesTheSplits() {
        AgentPrmException error =
                assertThrows(AgentPrmException.class, () -> environment.tasks("no-such-split"));
        for (String split : environment.splits()) {
            assertTrue(error.getMessage().contains(split), error::getMessage);
        }
    }

    @Test
    final void sameTaskSeedAndActionsGiveTheSameBytes() {
        for (Task task : someTasks()) {
            assertEquals(play(task, 7), play(task, 7));
        }
    }

    @Test
    final void anotherEnvironmentGivesTheSameBytesAndTheSameIdentity() {
        List<List<String>> first = someTasks().stream().map(task -> play(task, 3)).toList();
        String identity = environment.info().toString();
        environment.close();
        environment = openEnvironment();
        assertEquals(identity, environment.info().toString());
        assertEquals(first, someTasks().stream().map(task -> play(task, 3)).toList());
    }

    @Test
    final void aResetDropsTheEpisodeBefore() {
        Task task = someTasks().get(0);
        List<String> expected = play(task, 5);
        try (Session session = environment.open()) {
            Observation first = session.reset(task, 11).observation();
            session.step(anyAction(first, RandomSource.of(1).generator()));
            EpisodeStart start = session.reset(task, 5);
            assertEquals(
                    expected.get(0), start.instruction() + " | " + describe(start.observation()));
        }
    }

    @Test
    final void sessionsOnManyThreadsGiveTheSameBytesAsSerially()
            throws InterruptedException, ExecutionException {
        List<List<String>> serial = someTasks().stream().map(task -> play(task, 9)).toList();
        ExecutorService executor = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<String>>> futures = new ArrayList<>();
            for (Task task : someTasks()) {
                futures.add(executor.submit(() -> play(task, 9)));
            }
            List<List<String>> parallel = new ArrayList<>();
            for (Future<List<String>> future : futures) {
                parallel.add(future.get());
            }
            assertEquals(serial, parallel);
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    final void aStepWithoutAnEpisodeIsAnError() {
        try (Session session = environment.open()) {
            assertThrows(AgentPrmException.class, () -> session.step(invalidAction()));
        }
    }

    @Test
    final void aStepAfterTheEndIsAnError() {
        for (Task task : someTasks()) {
            try (Session session = environment.open()) {
                Observation observation = session.reset(task, 2).observation();
                for (int step = 0; step < MOST_STEPS; step++) {
                    RandomGenerator random = RandomSource.of(2).derive(step).generator();
                    Action action = anyAction(observation, random);
                    StepResult result = session.step(action);
                    observation = result.observation();
                    if (result.end().isPresent()) {
                        assertThrows(AgentPrmException.class, () -> session.step(action));
                        return;
                    }
                }
            }
        }
        Assumptions.abort("no episode ended within " + MOST_STEPS + " random actions");
    }

    @Test
    final void anInvalidActionIsFlagged() {
        for (Task task : someTasks()) {
            try (Session session = environment.open()) {
                session.reset(task, 1);
                assertFalse(session.step(invalidAction()).feedback().valid());
            }
        }
    }

    @Test
    final void anEpisodeEndsWithinTheStepLimit() {
        int limit = environment.info().stepLimit();
        Assumptions.assumeTrue(limit > 0, "no step limit");
        try (Session session = environment.open()) {
            session.reset(someTasks().get(0), 1);
            for (int step = 1; step <= limit; step++) {
                if (session.step(invalidAction()).end().isPresent()) {
                    return;
                }
            }
        }
        throw new AssertionError("still running after " + limit + " actions");
    }

    @Test
    final void aForkIsIndependentOrRefused() {
        Task task = someTasks().get(0);
        try (Session session = environment.open()) {
            Observation first = session.reset(task, 4).observation();
            if (!environment.capabilities().contains(Capability.FORKABLE)) {
                assertThrows(UnsupportedOperationException.class, session::fork);
                return;
            }
            Action action = anyAction(first, RandomSource.of(4).generator());
            try (Session fork = session.fork()) {
                assertNotEquals(session, fork);
                String forked = describe(fork.step(action));
                fork.close();
                assertEquals(forked, describe(session.step(action)));
            }
        }
    }

    @Test
    final void closingTwiceIsHarmless() {
        Session session = environment.open();
        session.reset(someTasks().get(0), 1);
        session.close();
        session.close();
        environment.close();
    }
}
