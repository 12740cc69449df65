package io.agentprm.core.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Environment;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.Cancellation;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.context.ContextFactory;
import io.agentprm.core.context.ProgressDisplay;
import io.agentprm.core.files.DurableFiles;
import io.agentprm.core.rollout.RolloutConfig;
import io.agentprm.core.run.Kill;
import io.agentprm.core.run.RunDirectory;
import io.agentprm.testkit.FaultyEnvironment;
import io.agentprm.testkit.ScriptedPolicy;
import io.agentprm.testkit.ToyEnvironment;
import io.agentprm.testkit.ToyMdp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardedRolloutsTest {
    private static final int TASKS = 5;
    private static final int EPISODES = 2;
    private static final int SHARD = 2;
    private static final Clock CLOCK =
            Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC);
    private static final ConfigNode CONFIG = ConfigNode.parse("{seed: 7}", "test");

    @TempDir Path directory;
    private Path undisturbed;

    @BeforeEach
    void play() {
        undisturbed = directory.resolve("undisturbed");
        collect(undisturbed, 1, DurableFiles.standard(), ScriptedPolicy::random);
    }

    @Test
    void episodesComeByTaskAndAttempt() {
        List<EpisodeId> ids =
                collect(undisturbed, 1, DurableFiles.standard(), ScriptedPolicy::random).stream()
                        .map(Trajectory::id)
                        .toList();
        try (ToyEnvironment environment = ToyEnvironment.of(ToyMdp.house(), TASKS)) {
            assertEquals(
                    environment.tasks("train").stream()
                            .flatMap(task -> Stream.of(0, 1).map(i -> new EpisodeId(task.id(), i)))
                            .toList(),
                    ids);
        }
    }

    @Test
    void numberOfWorkersChangesNoByte() {
        Path other = directory.resolve("three");
        collect(other, 3, DurableFiles.standard(), ScriptedPolicy::random);
        assertEquals(bytes(undisturbed), bytes(other));
    }

    @Test
    void killedAtAnyMomentAndContinuedEqualsUndisturbedByteByByte() {
        SortedMap<String, String> expected = bytes(undisturbed);
        int boundary = 0;
        for (boolean killed = true; killed; boundary++) {
            Path path = directory.resolve("killed-" + boundary);
            killed = false;
            try {
                collect(path, 1, Kill.at(boundary), ScriptedPolicy::random);
            } catch (Kill.Killed e) {
                killed = true;
            }
            collect(path, 1, DurableFiles.standard(), ScriptedPolicy::random);
            assertEquals(expected, bytes(path), "killed at boundary " + boundary);
        }
        assertTrue(boundary > 10, boundary + " boundaries");
    }

    @Test
    void whatIsPlayedBeforeAFailureIsNotPlayedAgain() {
        Path path = directory.resolve("failed");
        AtomicInteger decided = new AtomicInteger();
        RunException error =
                assertThrows(
                        RunException.class,
                        () ->
                                collect(
                                        path,
                                        2,
                                        DurableFiles.standard(),
                                        () -> new Counting(decided, true)));
        assertEquals("the third shard", error.getMessage());
        decided.set(0);
        collect(path, 2, DurableFiles.standard(), () -> new Counting(decided, false));
        assertTrue(decided.get() > 0, "the shard that failed is played");
        int rest = decided.get();
        decided.set(0);
        collect(
                directory.resolve("whole"),
                2,
                DurableFiles.standard(),
                () -> new Counting(decided, false));
        assertTrue(rest < decided.get(), rest + " of " + decided + " requests");
        assertEquals(bytes(undisturbed), bytes(path));
    }

    @Test
    void finishedCollectionMakesNoPolicy() {
        List<Trajectory> again =
                collect(
                        undisturbed,
                        2,
                        DurableFiles.standard(),
                        () -> {
                            throw new AssertionError("a policy is made");
                        });
        assertEquals(TASKS * EPISODES, again.size());
    }

    @Test
    void whereEveryEpisodeIsAbortedTheFirstCauseIsTold() {
        try (Environment failing =
                FaultyEnvironment.throwing(
                        ToyEnvironment.of(ToyMdp.house(), TASKS), task -> true, -1)) {
            RunException error =
                    assertThrows(
                            RunException.class,
                            () ->
                                    collect(
                                            directory.resolve("aborted"),
                                            1,
                                            DurableFiles.standard(),
                                            ScriptedPolicy::random,
                                            failing));
            assertTrue(
                    error.getMessage()
                            .startsWith(
                                    "rollouts: all 10 episodes were aborted, since the environment"
                                            + " failed; the first at reset: "),
                    error.getMessage());
        }
    }

    /** Counts the requests it decides; may refuse the only task of the third shard. */
    private record Counting(Policy policy, AtomicInteger decided, boolean refusing)
            implements Policy {
        Counting(AtomicInteger decided, boolean refusing) {
            this(ScriptedPolicy.random(), decided, refusing);
        }

        @Override
        public String id() {
            return policy.id();
        }

        @Override
        public List<List<Decision>> decide(List<DecisionRequest> requests) {
            try (ToyEnvironment environment = ToyEnvironment.of(ToyMdp.house(), TASKS)) {
                String last = environment.tasks("train").get(TASKS - 1).id();
                if (refusing && requests.get(0).episode().task().equals(last)) {
                    throw new RunException("the third shard");
                }
            }
            decided.addAndGet(requests.size());
            return policy.decide(requests);
        }
    }

    private static List<Trajectory> collect(
            Path path, int workers, DurableFiles files, Supplier<Policy> policies) {
        try (ToyEnvironment environment = ToyEnvironment.of(ToyMdp.house(), TASKS)) {
            return collect(path, workers, files, policies, environment);
        }
    }

    private static List<Trajectory> collect(
            Path path,
            int workers,
            DurableFiles files,
            Supplier<Policy> policies,
            Environment environment) {
        ContextFactory contexts =
                new ContextFactory(
                        CLOCK,
                        new ProgressDisplay(new StringBuilder(), false, CLOCK),
                        Cancellation.none(),
                        Duration.ofHours(1),
                        files);
        try (RunDirectory run = RunDirectory.open(path, CONFIG, 7, Map.of(), CLOCK, files)) {
            return new ShardedRollouts(
                            environment,
                            new Stages(run, contexts, RandomSource.of(1)),
                            RolloutConfig.defaults(),
                            workers)
                    .collect(
                            new ShardedRollouts.Job(
                                    "rollouts",
                                    "rollouts",
                                    environment.tasks("train"),
                                    EPISODES,
                                    SHARD,
                                    RandomSource.of(3)),
                            policies);
        }
    }

    /** Every file but the lock. */
    private static SortedMap<String, String> bytes(Path path) {
        SortedMap<String, String> all = new TreeMap<>();
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = path.relativize(file).toString();
                if (!name.equals("run.lock")) {
                    all.put(name, Integer.toHexString(Arrays.hashCode(Files.readAllBytes(file))));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }
}
