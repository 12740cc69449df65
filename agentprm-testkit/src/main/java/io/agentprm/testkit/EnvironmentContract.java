package io.agentprm.testkit;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.env.Action;
import io.agentprm.api.env.Capability;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EnvironmentInfo;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Environment} promises. Extend it in a test of your own:
 *
 * <pre>{@code
 * class LiftEnvironmentTest extends EnvironmentContract {
 *     @Override
 *     protected Environment openEnvironment() {
 *         return new LiftProvider().create(new LiftConfig(5, 20), RunContext.ofSeed(1));
 *     }
 *
 *     @Override
 *     protected Action invalidAction() {
 *         return Action.text("fly to the moon");
 *     }
 * }
 * }</pre>
 *
 * <p>An environment that lists no admissible actions also overrides {@link #anyAction}. The rules
 * of its provider are those of {@link ProviderContract}.
 */
public abstract class EnvironmentContract {
    private static final int MOST_TASKS = 8;
    private static final int THREADS = 4;

    private Environment environment;

    /** A fresh environment, with the same content at every call; closed after each test. */
    protected abstract Environment openEnvironment();

    /** An action that is invalid in the first state of every task. */
    protected abstract Action invalidAction();

    /**
     * Some action; by default any admissible one, so environments without a list override this. It
     * must depend on its arguments only.
     */
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
        return List.copyOf(tasks.subList(0, Math.min(MOST_TASKS, tasks.size())));
    }

    /** Plays in a session of its own and gives what was seen. */
    private List<String> play(Task task, long seed) {
        try (Session session = environment.open()) {
            return Play.start(session, task, seed, this::anyAction).toTheEnd().seen();
        }
    }

    private List<List<String>> playAll(long seed) {
        return someTasks().stream().map(task -> play(task, seed)).toList();
    }

    /** Shows every step of some episodes. */
    private void watch(long seed, BiConsumer<String, StepResult> eye) {
        for (Task task : someTasks()) {
            try (Session session = environment.open()) {
                Play play = Play.start(session, task, seed, this::anyAction);
                while (play.running()) {
                    String where = task + ", seed " + seed + ", " + play.nextAction();
                    eye.accept(where, play.step());
                }
            }
        }
    }

    @Test
    final void theSuiteSaysWhatItIs() {
        Rule rule =
                Rule.of(
                        "an environment names itself, its version and a hash of its content, and"
                                + " has a step limit of 0 or more",
                        "fill EnvironmentInfo: reports compare results by it");
        EnvironmentInfo info = environment.info();
        rule.holds(!info.name().isBlank(), "info().name()", "a name", "blank text");
        rule.holds(!info.version().isBlank(), "info().version()", "a version", "blank text");
        rule.holds(!info.contentHash().isBlank(), "info().contentHash()", "a hash", "blank text");
        rule.holds(info.stepLimit() >= 0, "info().stepLimit()", "0 or more", info.stepLimit());
    }

    @Test
    final void tasksAreListedInTheSameOrder() {
        Rule rule =
                Rule.of(
                        "a split lists the same tasks in the same order at every call, each with"
                                + " the name of its split",
                        "keep the tasks in a list made once, or sort them by id");
        for (String split : environment.splits()) {
            List<Task> tasks = List.copyOf(environment.tasks(split));
            rule.same(tasks, environment.tasks(split), "tasks(\"" + split + "\")");
            for (Task task : tasks) {
                rule.same(split, task.split(), "split of " + task);
            }
        }
    }

    @Test
    final void taskIdsAreUniqueOverAllSplits() {
        Rule rule =
                Rule.of(
                        "a task id is used once in the whole suite, so splits never share a task",
                        "derive ids from what the task is, with the split as a prefix if need be");
        rule.holds(!environment.splits().isEmpty(), "splits()", "at least one split", "none");
        Set<String> ids = new HashSet<>();
        for (String split : environment.splits()) {
            for (Task task : environment.tasks(split)) {
                rule.holds(ids.add(task.id()), split, "an id of its own", task.id() + " again");
            }
        }
    }

    @Test
    final void anUnknownSplitIsAnErrorThatNamesTheSplits() {
        Rule rule =
                Rule.of(
                        "an unknown split is refused with a message that names those that exist",
                        "throw an AgentPrmException that lists splits()");
        String where = "tasks(\"no-such-split\")";
        AgentPrmException error =
                rule.refused(
                        AgentPrmException.class, where, () -> environment.tasks("no-such-split"));
        for (String split : environment.splits()) {
            rule.holds(error.getMessage().contains(split), where, split, error.getMessage());
        }
    }

    @Test
    final void whatIsListedCannotBeChanged() {
        Rule rule =
                Rule.of(
                        "a caller that changes a returned list changes nothing in the environment",
                        "return List.copyOf(...) and Set.copyOf(...)");
        List<String> splits = List.copyOf(environment.splits());
        tryToClear(environment.splits());
        rule.same(splits, environment.splits(), "splits()");
        for (String split : splits) {
            List<Task> tasks = List.copyOf(environment.tasks(split));
            tryToClear(environment.tasks(split));
            rule.same(tasks, environment.tasks(split), "tasks(\"" + split + "\")");
        }
        Set<Capability> capabilities = Set.copyOf(environment.capabilities());
        tryToClear(environment.capabilities());
        rule.same(capabilities, environment.capabilities(), "capabilities()");
    }

    private static void tryToClear(Collection<?> collection) {
        try {
            collection.clear();
        } catch (UnsupportedOperationException e) {
            // As it should be.
        }
    }

    @Test
    final void sameTaskSeedAndActionsGiveTheSameBytes() {
        Rule rule =
                Rule.of(
                        "same task, seed and actions give the same bytes",
                        "draw every random number from the seed of reset, and give every"
                                + " collection an order");
        for (Task task : someTasks()) {
            rule.sameLines(play(task, 7), play(task, 7), task + ", seed 7, played twice");
        }
    }

    @Test
    final void anotherEnvironmentGivesTheSameBytesAndTheSameIdentity() {
        Rule rule =
                Rule.of(
                        "two environments of the same configuration have the same identity and"
                                + " give the same bytes",
                        "derive content from configuration and files only, not from time, hash"
                                + " codes, folder order or how often it was opened");
        List<Task> tasks = someTasks();
        List<List<String>> first = playAll(3);
        String identity = environment.info().toString();
        environment.close();
        environment = openEnvironment();
        rule.same(identity, environment.info().toString(), "info()");
        rule.same(tasks, someTasks(), "tasks");
        List<List<String>> second = playAll(3);
        for (int i = 0; i < first.size(); i++) {
            rule.sameLines(first.get(i), second.get(i), tasks.get(i) + ", seed 3");
        }
    }

    @Test
    final void aResetDropsTheEpisodeBefore() {
        Rule rule =
                Rule.of(
                        "a reset drops everything of the episode before",
                        "set every field of the session anew in reset, counters included");
        Task task = someTasks().get(0);
        List<String> expected = play(task, 5);
        Assumptions.assumeTrue(expected.equals(play(task, 5)), "does not repeat itself");
        try (Session session = environment.open()) {
            Play.start(session, task, 11, this::anyAction).steps(2);
            List<String> seen = Play.start(session, task, 5, this::anyAction).toTheEnd().seen();
            rule.sameLines(expected, seen, task + " after a broken-off episode");
        }
    }

    private boolean repeats() {
        return playAll(9).equals(playAll(9));
    }

    @Test
    final void sessionsDoNotInfluenceEachOther() {
        Assumptions.assumeTrue(repeats(), "does not even repeat itself, see the other rule");
        Rule rule =
                Rule.of(
                        "sessions that take turns see what they would see alone",
                        "keep the state of an episode in its session, not in the environment or"
                                + " in statics");
        List<Task> tasks = someTasks();
        List<List<String>> seen = playInTurns(tasks);
        for (int i = 0; i < tasks.size(); i++) {
            rule.sameLines(play(tasks.get(i), 9), seen.get(i), tasks.get(i) + " among others");
        }
    }

    /** All tasks at once, step by step, on this thread. */
    private List<List<String>> playInTurns(List<Task> tasks) {
        List<Session> sessions = new ArrayList<>();
        List<Play> plays = new ArrayList<>();
        for (Task task : tasks) {
            sessions.add(environment.open());
            plays.add(Play.start(sessions.get(sessions.size() - 1), task, 9, this::anyAction));
        }
        try {
            for (int step = 0; step < Play.MOST_STEPS; step++) {
                plays.forEach(play -> play.steps(1));
            }
        } catch (AgentPrmException e) {
            plays.get(0).seen().add("an exception: " + e.getMessage());
        } finally {
            sessions.forEach(Session::close);
        }
        return plays.stream().map(Play::seen).toList();
    }

    @Test
    final void sessionsOnManyThreadsGiveTheSameBytesAsSerially()
            throws InterruptedException, ExecutionException {
        List<Task> tasks = someTasks();
        List<List<String>> serial = playAll(9);
        Assumptions.assumeTrue(
                serial.equals(playAll(9)) && serial.equals(playInTurns(tasks)),
                "wrong on one thread already, see the other rules");
        Rule rule =
                Rule.of(
                        "sessions on many threads, each on one, see what they would see serially",
                        "share immutable or thread-safe data only, and keep nothing by thread");
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<List<String>>> futures = new ArrayList<>();
            for (Task task : tasks) {
                futures.add(executor.submit(() -> play(task, 9)));
            }
            for (int i = 0; i < tasks.size(); i++) {
                rule.sameLines(
                        serial.get(i), futures.get(i).get(), tasks.get(i) + " on another thread");
            }
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    final void aTaskOfAnotherSuiteIsRefused() {
        Rule rule =
                Rule.of(
                        "a task that the suite does not have is refused",
                        "look the task up by its id in reset and throw an AgentPrmException that"
                                + " names it");
        String split = environment.splits().get(0);
        try (Session session = environment.open()) {
            rule.refused(
                    AgentPrmException.class,
                    "reset with the task 'of-another-suite'",
                    () -> session.reset(Task.of("of-another-suite", split, "none"), 1));
        }
    }

    @Test
    final void aStepWithoutAnEpisodeIsAnError() {
        Rule rule =
                Rule.of(
                        "a step before the first reset is refused",
                        "throw an AgentPrmException that says to call reset first");
        try (Session session = environment.open()) {
            rule.refused(
                    AgentPrmException.class,
                    "step on a session just opened",
                    () -> session.step(invalidAction()));
        }
    }

    @Test
    final void aStepAfterTheEndIsAnError() {
        Rule rule =
                Rule.of(
                        "a step after the end of the episode is refused",
                        "remember that the episode is over and throw an AgentPrmException");
        for (Task task : someTasks()) {
            try (Session session = environment.open()) {
                Play play = Play.start(session, task, 2, this::anyAction).toTheEnd();
                if (play.ended()) {
                    rule.refused(
                            AgentPrmException.class,
                            task + ", one step too many",
                            () -> session.step(invalidAction()));
                    return;
                }
            }
        }
        Assumptions.abort("no episode ended within " + Play.MOST_STEPS + " random actions");
    }

    @Test
    final void anInvalidActionIsFlagged() {
        Rule rule =
                Rule.of(
                        "an invalid action is flagged, not hidden in the observation's text",
                        "give StepResult an ActionFeedback.Invalid with the reason");
        for (Task task : someTasks()) {
            try (Session session = environment.open()) {
                session.reset(task, 1);
                StepResult result = session.step(invalidAction());
                rule.holds(
                        !result.feedback().valid(),
                        task + ", " + invalidAction(),
                        "feedback that is not valid",
                        result.feedback());
            }
        }
    }

    @Test
    final void whatIsListedAsAdmissibleIsTaken() {
        Rule rule =
                Rule.of(
                        "an action that is listed as admissible is not flagged as invalid",
                        "list exactly what step executes, or leave the list out");
        for (Task task : someTasks()) {
            try (Session session = environment.open()) {
                List<String> listed =
                        session.reset(task, 1).observation().admissibleActions().orElse(List.of());
                for (String action : listed) {
                    session.reset(task, 1);
                    StepResult result = session.step(Action.text(action));
                    rule.holds(
                            result.feedback().valid(),
                            task + ", first action '" + action + "'",
                            "valid feedback",
                            result.feedback());
                }
            }
        }
    }

    @Test
    final void oddActionsAreAnsweredAndEmptyOnesInvalid() {
        Rule rule =
                Rule.of(
                        "every text is taken as an action and answered, and the empty one, which"
                                + " stands for a reply without an action, is invalid",
                        "answer what is not understood with ActionFeedback.Invalid: an exception"
                                + " aborts the episode and nothing is learnt from it");
        Task task = someTasks().get(0);
        for (Map.Entry<String, String> odd : OddTexts.all().entrySet()) {
            act(rule, task, odd.getKey(), Action.text(odd.getValue()));
        }
        act(rule, task, "a tool call", new Action.ToolCall("no-such-tool", Map.of("a", "b")));
    }

    private void act(Rule rule, Task task, String what, Action action) {
        try (Session session = environment.open()) {
            session.reset(task, 1);
            rule.answered(
                    task + ", " + what,
                    () -> {
                        StepResult result = session.step(action);
                        rule.holds(
                                !action.text().isEmpty() || !result.feedback().valid(),
                                task + ", " + what,
                                "feedback that is not valid",
                                result.feedback());
                    });
        }
    }

    @Test
    final void successIsReachingTheGoal() {
        Rule rule =
                Rule.of(
                        "an episode that terminates is a success exactly if its reason is GOAL;"
                                + " a failure or a step limit is none, whatever its outcome",
                        "end with Terminated(GOAL, outcome, true), or with FAILURE or STEP_LIMIT"
                                + " and false");
        watch(
                8,
                (where, result) ->
                        result.end()
                                .ifPresent(
                                        end ->
                                                rule.same(
                                                        end.reason() == EpisodeEnd.Reason.GOAL,
                                                        end.success(),
                                                        where + ", success of " + end)));
    }

    @Test
    final void anEpisodeEndsWithinTheStepLimit() {
        int limit = environment.info().stepLimit();
        Assumptions.assumeTrue(limit > 0, "no step limit");
        Rule rule =
                Rule.of(
                        "an episode ends by the step limit that the suite states, invalid actions"
                                + " counted",
                        "count steps in the session and end with reason STEP_LIMIT: nobody else"
                                + " does");
        try (Session session = environment.open()) {
            Task task = someTasks().get(0);
            session.reset(task, 1);
            for (int step = 1; step <= limit; step++) {
                if (session.step(invalidAction()).end().isPresent()) {
                    return;
                }
            }
            throw rule.broken(task.toString(), "an end", "still running after " + limit);
        }
    }

    @Test
    final void aForkSeesWhatItsOriginalWouldAndLeavesItAlone() {
        Assumptions.assumeTrue(
                environment.capabilities().contains(Capability.FORKABLE), "not forkable");
        Assumptions.assumeTrue(repeats(), "does not even repeat itself, see the other rule");
        Rule rule =
                Rule.of(
                        "a fork and its original both go on as if alone, as a replay of the same"
                                + " actions would",
                        "copy everything that changes, random numbers included, or do not declare"
                                + " FORKABLE");
        boolean forked = false;
        for (Task task : someTasks()) {
            forked |= fork(rule, task);
        }
        Assumptions.assumeTrue(forked, "no episode went on after its first step");
    }

    /** Forks an episode after its first step; false if it was over by then. */
    private boolean fork(Rule rule, Task task) {
        List<String> expected = play(task, 4);
        String where = task + ", forked after a step, ";
        try (Session session = environment.open()) {
            Play original = Play.start(session, task, 4, this::anyAction).steps(1);
            if (!original.running()) {
                return false;
            }
            try (Session fork = session.fork()) {
                Play copy = original.in(fork).toTheEnd();
                rule.sameLines(expected, copy.seen(), where + "the fork");
            }
            rule.answered(where + "the original", original::toTheEnd);
            rule.sameLines(expected, original.seen(), where + "the original");
            return true;
        }
    }

    @Test
    final void aForkIsRefusedUnlessDeclared() {
        Assumptions.assumeFalse(
                environment.capabilities().contains(Capability.FORKABLE), "forkable");
        Rule rule =
                Rule.of(
                        "an environment that does not declare FORKABLE refuses to fork",
                        "leave Session.fork as it is, or declare FORKABLE");
        try (Session session = environment.open()) {
            session.reset(someTasks().get(0), 4);
            rule.refused(UnsupportedOperationException.class, "fork()", session::fork);
        }
    }

    @Test
    final void closingTwiceIsHarmless() {
        Rule rule =
                Rule.of(
                        "a session and an environment may be closed twice",
                        "make close do nothing the second time");
        Session session = environment.open();
        session.reset(someTasks().get(0), 1);
        session.close();
        rule.answered("second close of a session", session::close);
        environment.close();
        rule.answered("second close of the environment", environment::close);
    }

    @Test
    final void aClosedSessionIsNotStepped() {
        Rule rule =
                Rule.of(
                        "a step of a closed session is refused",
                        "drop the episode in Session.close and throw an AgentPrmException from"
                                + " step");
        Session session = environment.open();
        session.reset(someTasks().get(0), 1);
        session.close();
        rule.refused(
                AgentPrmException.class, "step after close", () -> session.step(invalidAction()));
    }

    @Test
    final void aClosedEnvironmentOpensNoSession() {
        Rule rule =
                Rule.of(
                        "a closed environment opens no session",
                        "throw an AgentPrmException from open after close");
        environment.close();
        rule.refused(AgentPrmException.class, "open after close", environment::open);
    }
}
