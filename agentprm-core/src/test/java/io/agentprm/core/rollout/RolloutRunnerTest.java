package io.agentprm.core.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.Capability;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EnvironmentInfo;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.rollout.RolloutPlan;
import io.agentprm.api.run.CancelledException;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
import io.agentprm.testkit.FaultyEnvironment;
import io.agentprm.testkit.RecordingContext;
import io.agentprm.testkit.ScriptedPolicy;
import io.agentprm.testkit.ToyEnvironment;
import io.agentprm.testkit.ToyMdp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class RolloutRunnerTest {
    /** Draws a number per decision, and notes what it was asked together. */
    private static class NotingPolicy implements Policy {
        private final List<String> batches = new ArrayList<>();
        private final List<EpisodeId> released = new ArrayList<>();

        @Override
        public String id() {
            return "noting";
        }

        @Override
        public List<List<Decision>> decide(List<DecisionRequest> requests) {
            batches.add(
                    requests.stream()
                            .map(r -> r.episode() + "." + r.state().turn())
                            .collect(Collectors.joining(" ")));
            return requests.stream()
                    .map(
                            r ->
                                    List.of(
                                            Decision.of(
                                                    "say "
                                                            + r.random()
                                                                    .derive(0)
                                                                    .generator()
                                                                    .nextInt(1000))))
                    .toList();
        }

        @Override
        public void release(EpisodeId episode) {
            released.add(episode);
        }
    }

    private static RolloutRunner runner(Environment environment, int batch, int threads) {
        return new RolloutRunner(
                environment,
                new RolloutConfig(batch, threads, Duration.ofSeconds(20)),
                RunContext.ofSeed(1));
    }

    private static RolloutPlan plan(Environment environment, int episodes) {
        return RolloutPlan.of(environment.tasks("train"), episodes, RandomSource.of(7));
    }

    private static String text(List<Trajectory> trajectories) {
        return trajectories.stream()
                .map(
                        t ->
                                t.id()
                                        + " seed "
                                        + t.seed()
                                        + " "
                                        + t.turns().stream()
                                                .map(
                                                        turn ->
                                                                turn.observation()
                                                                        + ">"
                                                                        + turn.decision())
                                                .toList()
                                        + " "
                                        + t.finalObservation()
                                        + " "
                                        + t.end())
                .collect(Collectors.joining("\n"));
    }

    @Test
    void resultsDoNotDependOnBatchSizeOrThreads() {
        CountingEnvironment environment = new CountingEnvironment(9);
        String expected =
                text(runner(environment, 1, 1).collect(new NotingPolicy(), plan(environment, 3)));
        for (int[] way : new int[][] {{4, 1}, {4, 3}, {64, 2}}) {
            assertEquals(
                    expected,
                    text(
                            runner(environment, way[0], way[1])
                                    .collect(new NotingPolicy(), plan(environment, 3))));
        }
        assertEquals(environment.opened.get(), environment.closed.get());
    }

    @Test
    void theSamePlanAndBatchLimitGiveTheSameBatches() {
        CountingEnvironment environment = new CountingEnvironment(9);
        NotingPolicy one = new NotingPolicy();
        NotingPolicy other = new NotingPolicy();
        runner(environment, 4, 1).collect(one, plan(environment, 2));
        runner(environment, 4, 4).collect(other, plan(environment, 2));
        assertEquals(one.batches, other.batches);
        assertTrue(one.batches.stream().allMatch(batch -> batch.split(" ").length <= 4));
        assertEquals("t0#0.0 t0#1.0 t1#0.0 t1#1.0", one.batches.get(0));
    }

    @Test
    void episodesOfATaskDifferAndAPlanThatStartsLaterContinuesThem() {
        CountingEnvironment environment = new CountingEnvironment(3);
        RolloutPlan plan = plan(environment, 2);
        List<Trajectory> both = runner(environment, 8, 1).collect(new NotingPolicy(), plan);
        assertNotEquals(both.get(0).seed(), both.get(1).seed());
        assertNotEquals(
                both.get(0).turns().get(0).decision().text(),
                both.get(1).turns().get(0).decision().text());
        RolloutPlan second =
                RolloutPlan.of(environment.tasks("train"), 1, RandomSource.of(7)).startingAt(1);
        assertEquals(
                text(List.of(both.get(1), both.get(3), both.get(5))),
                text(runner(environment, 8, 1).collect(new NotingPolicy(), second)));
    }

    @Test
    void aTaskThatIsInThePlanTwiceIsRefused() {
        CountingEnvironment environment = new CountingEnvironment(1);
        Task task = environment.tasks("train").get(0);
        RolloutPlan plan = RolloutPlan.of(List.of(task, task), 1, RandomSource.of(7));
        RunException e =
                assertThrows(
                        RunException.class,
                        () -> runner(environment, 2, 1).collect(new NotingPolicy(), plan));
        assertTrue(e.getMessage().contains("'t0' is in the plan twice"), e.getMessage());
    }

    @Test
    void everySessionIsClosedOnceAndEveryEpisodeReleasedOnce() {
        CountingEnvironment environment =
                new CountingEnvironment(
                        8,
                        (task, turn) -> {
                            if (task.id().equals("t3") && turn == 0) {
                                throw new RunException("on purpose");
                            }
                            if (task.id().equals("t5") && turn == -1) {
                                throw new NoClassDefFoundError("missing/Part");
                            }
                        });
        NotingPolicy policy = new NotingPolicy();
        List<Trajectory> all = runner(environment, 3, 2).collect(policy, plan(environment, 2));
        assertEquals(16, all.size());
        assertEquals(16, environment.opened.get());
        assertEquals(16, environment.closed.get());
        assertEquals(0, environment.misused.get());
        assertEquals(16, policy.released.size());
        assertEquals(16, policy.released.stream().distinct().count());
        assertEquals(
                new EpisodeEnd.Aborted("step 1: io.agentprm.core.RunException: on purpose"),
                all.get(6).end());
        assertEquals(
                new EpisodeEnd.Aborted("reset: java.lang.NoClassDefFoundError: missing/Part"),
                all.get(10).end());
        assertEquals("seed " + all.get(6).seed(), all.get(6).finalObservation().text());
    }

    @Test
    @Timeout(60)
    void anEnvironmentThatHangsOrOverflowsCostsItsOwnEpisodeOnly() {
        Environment inner = ToyEnvironment.of(ToyMdp.house(), 6);
        for (Environment faulty :
                List.of(
                        FaultyEnvironment.hanging(inner, task -> task.id().equals("train-2"), 1),
                        FaultyEnvironment.hanging(inner, task -> task.id().equals("train-2"), -1),
                        FaultyEnvironment.overflowing(
                                inner, task -> task.id().equals("train-2"), 1),
                        FaultyEnvironment.overflowing(
                                inner, task -> task.id().equals("train-2"), -1))) {
            RolloutRunner runner =
                    new RolloutRunner(
                            faulty,
                            new RolloutConfig(3, 2, Duration.ofMillis(300)),
                            RunContext.ofSeed(1));
            ScriptedPolicy policy = ScriptedPolicy.sequence("left", "right", "open");
            List<Trajectory> all = runner.collect(policy, plan(faulty, 2));
            List<Trajectory> sound = runner(inner, 3, 2).collect(policy, plan(inner, 2));
            for (int i = 0; i < all.size(); i++) {
                if (i == 4 || i == 5) {
                    assertInstanceOf(EpisodeEnd.Aborted.class, all.get(i).end());
                } else {
                    assertEquals(text(List.of(sound.get(i))), text(List.of(all.get(i))));
                }
            }
        }
    }

    /** The toy house, with other answers for one task. */
    private record Answering(
            Environment inner, Supplier<EpisodeStart> start, Supplier<StepResult> step)
            implements Environment {
        @Override
        public EnvironmentInfo info() {
            return inner.info();
        }

        @Override
        public List<String> splits() {
            return inner.splits();
        }

        @Override
        public List<Task> tasks(String split) {
            return inner.tasks(split);
        }

        @Override
        public Set<Capability> capabilities() {
            return inner.capabilities();
        }

        @Override
        public Session open() {
            Session sound = inner.open();
            return new Session() {
                private boolean victim;

                @Override
                public EpisodeStart reset(Task task, long seed) {
                    victim = task.id().equals("train-2");
                    EpisodeStart begun = sound.reset(task, seed);
                    return victim ? start.get() : begun;
                }

                @Override
                public StepResult step(Action action) {
                    return victim ? step.get() : sound.step(action);
                }

                @Override
                public void close() {
                    sound.close();
                }
            };
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    private static StepResult on(double reward) {
        return StepResult.running(Observation.text("here"), reward, new ActionFeedback.Valid());
    }

    private List<Trajectory> played(Supplier<EpisodeStart> start, Supplier<StepResult> step) {
        Environment house = ToyEnvironment.of(ToyMdp.house(), 6);
        ScriptedPolicy policy = ScriptedPolicy.sequence("left", "right", "open");
        Environment answering = new Answering(house, start, step);
        List<Trajectory> all = runner(answering, 3, 2).collect(policy, plan(answering, 1));
        List<Trajectory> sound = runner(house, 3, 2).collect(policy, plan(house, 1));
        for (int i = 0; i < all.size(); i++) {
            if (i != 2) {
                assertEquals(text(List.of(sound.get(i))), text(List.of(all.get(i))));
            }
        }
        return all;
    }

    @Test
    void anAnswerThatIsNoneCostsItsOwnEpisodeOnly() {
        EpisodeStart start = EpisodeStart.of("go", Observation.text("here"));
        ActionFeedback valid = new ActionFeedback.Valid();
        List<Supplier<EpisodeStart>> starts =
                List.of(
                        () -> null,
                        () -> EpisodeStart.of(null, Observation.text("here")),
                        () -> EpisodeStart.of("go", null),
                        () -> EpisodeStart.of("go", Observation.text(null)));
        List<Supplier<StepResult>> steps =
                List.of(
                        () -> null,
                        () -> on(Double.NaN),
                        () -> StepResult.running(null, 0, valid),
                        () -> StepResult.running(Observation.text("here"), 0, null),
                        () ->
                                StepResult.running(
                                        Observation.text("here"),
                                        0,
                                        new ActionFeedback.Invalid(null)),
                        () ->
                                StepResult.terminated(
                                        Observation.text("here"),
                                        0,
                                        valid,
                                        new EpisodeEnd.Terminated(null, 0, false)));
        List<List<Trajectory>> all = new ArrayList<>();
        starts.forEach(each -> all.add(played(each, () -> on(0))));
        steps.forEach(each -> all.add(played(() -> start, each)));
        for (List<Trajectory> each : all) {
            assertInstanceOf(EpisodeEnd.Aborted.class, each.get(2).end());
        }
    }

    @Test
    void anEpisodeThatGoesOnBeyondTheStepLimitIsAborted() {
        EpisodeStart start = EpisodeStart.of("go", Observation.text("here"));
        Trajectory endless = played(() -> start, () -> on(0)).get(2);
        int limit = ToyEnvironment.of(ToyMdp.house(), 6).info().stepLimit();
        assertEquals(limit, endless.length());
        assertTrue(endless.end().toString().contains("step limit of " + limit));
    }

    @Test
    void theCauseOfAnAbortNamesTheLine() {
        Environment faulty =
                FaultyEnvironment.throwing(ToyEnvironment.of(ToyMdp.house(), 1), task -> true, 0);
        EpisodeEnd end =
                runner(faulty, 1, 1)
                        .collect(ScriptedPolicy.sequence("left"), plan(faulty, 1))
                        .get(0)
                        .end();
        assertTrue(
                end.toString().contains("on purpose at " + FaultyEnvironment.class.getName() + "."),
                end.toString());
    }

    @Test
    @Timeout(60)
    void aResultThatComesLateIsDiscardedCountedAndItsSessionClosed() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountingEnvironment environment =
                new CountingEnvironment(
                        4,
                        (task, turn) -> {
                            if (task.id().equals("t1") && turn == 0) {
                                awaitIgnoringInterrupts(release);
                            }
                        });
        RolloutRunner runner =
                new RolloutRunner(
                        environment,
                        new RolloutConfig(2, 2, Duration.ofMillis(200)),
                        RunContext.ofSeed(1));
        List<Trajectory> all = runner.collect(new NotingPolicy(), plan(environment, 1));
        assertEquals(4, all.size());
        assertEquals(new EpisodeEnd.Aborted("step 1: no answer within 200 ms"), all.get(1).end());
        assertEquals(0, runner.lateResults());
        assertEquals(3, environment.closed.get());
        release.countDown();
        for (int i = 0; i < 200 && environment.closed.get() < 4; i++) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertEquals(1, runner.lateResults());
        assertEquals(4, environment.closed.get());
        assertEquals(0, environment.misused.get());
    }

    private static void awaitIgnoringInterrupts(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                // This environment does not listen.
                continue;
            }
        }
    }

    @Test
    void aBudgetTruncatesAndKeepsTheFinalObservation() {
        CountingEnvironment environment = new CountingEnvironment(5);
        for (Trajectory t :
                runner(environment, 2, 1)
                        .collect(new NotingPolicy(), plan(environment, 1).truncatedAfter(1))) {
            assertEquals(1, t.length());
            if (!(t.end() instanceof EpisodeEnd.Terminated)) {
                assertInstanceOf(EpisodeEnd.Truncated.class, t.end());
                assertEquals("1 after " + t.turns().get(0).decision(), t.finalObservation().text());
            }
        }
    }

    @Test
    void aPolicyThatFailsEndsTheCollectionWithAllSessionsClosed() {
        CountingEnvironment environment = new CountingEnvironment(5);
        NotingPolicy forgetful =
                new NotingPolicy() {
                    @Override
                    public List<List<Decision>> decide(List<DecisionRequest> requests) {
                        return super.decide(requests).subList(1, requests.size());
                    }
                };
        RunException e =
                assertThrows(
                        RunException.class,
                        () -> runner(environment, 3, 1).collect(forgetful, plan(environment, 1)));
        assertTrue(e.getMessage().contains("noting"), e.getMessage());
        assertEquals(3, environment.opened.get());
        assertEquals(3, environment.closed.get());
        assertEquals(3, forgetful.released.size());
    }

    @Test
    void aStopIsHonouredBetweenRounds(@TempDir Path directory) {
        CountingEnvironment environment = new CountingEnvironment(20);
        RunContext context = RecordingContext.of(1, directory).stoppingAtLook(3);
        RolloutRunner runner = new RolloutRunner(environment, RolloutConfig.defaults(), context);
        assertThrows(
                CancelledException.class,
                () -> runner.collect(new NotingPolicy(), plan(environment, 5)));
        assertEquals(environment.opened.get(), environment.closed.get());
    }

    @Test
    void twentyThousandEpisodesKeepTheHeapFlat() {
        CountingEnvironment environment = new CountingEnvironment(20);
        RolloutRunner runner = runner(environment, 64, 2);
        Policy policy = ScriptedPolicy.sequence("go");
        runner.collect(policy, plan(environment, 50));
        long before = used();
        for (int i = 0; i < 20; i++) {
            runner.collect(policy, plan(environment, 50));
        }
        assertEquals(21_000, environment.closed.get());
        long growth = used() - before;
        assertTrue(growth < (8L << 20), "heap grew by " + growth + " bytes");
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
