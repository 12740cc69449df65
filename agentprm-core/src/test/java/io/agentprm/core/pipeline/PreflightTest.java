package io.agentprm.core.pipeline;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Capability;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EnvironmentInfo;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.Task;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.config.ConfigException;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.store.TrajectoryFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is refused before a run starts. */
class PreflightTest {
    /** Splits with the ids of their tasks. */
    private record Splits(Map<String, List<String>> ids) implements Environment {
        @Override
        public EnvironmentInfo info() {
            return EnvironmentInfo.of("splits", "1", "none", 1);
        }

        @Override
        public List<String> splits() {
            return List.copyOf(ids.keySet());
        }

        @Override
        public List<Task> tasks(String split) {
            return ids.get(split).stream().map(id -> Task.of(id, split, "any")).toList();
        }

        @Override
        public Set<Capability> capabilities() {
            return Set.of();
        }

        @Override
        public Session open() {
            throw new UnsupportedOperationException("nobody plays");
        }

        @Override
        public void close() {}
    }

    private static RunConfig config(int iterations) {
        String text =
                """
                name: x
                environment: splits
                demonstrations: {expert: any, split: shown}
                loop: {iterations: ITERATIONS, rollouts: {split: train}}
                evaluation: {split: valid}
                """;
        return ConfigBinder.strict()
                .bind(
                        ConfigNode.parse(text.replace("ITERATIONS", "" + iterations), "x.yaml"),
                        RunConfig.class);
    }

    private static Environment splits(String shown, String train, String valid) {
        return new Splits(
                Map.of("shown", List.of(shown), "train", List.of(train), "valid", List.of(valid)));
    }

    @Test
    void aTaskThatIsTrainedOnIsNeverJudgedUnderTheNameOfAnotherSplit() {
        for (Environment leaking : List.of(splits("a", "b", "b"), splits("a", "b", "a"))) {
            String message =
                    assertThrows(
                                    RunException.class,
                                    () -> Preflight.requireOtherTasks(config(1), leaking))
                            .getMessage();
            assertTrue(message.startsWith("1 tasks of evaluation.split 'valid'"), message);
        }
        assertDoesNotThrow(() -> Preflight.requireOtherTasks(config(1), splits("a", "b", "c")));
    }

    @Test
    void demonstrationsFromFilesAreOfTasksThatAreNotJudgedOn(@TempDir Path directory) {
        Path file = directory.resolve("shown.jsonl.gz");
        TrajectoryFiles.trajectories()
                .write(
                        file,
                        List.of(
                                Trajectory.builder(Task.of("c", "elsewhere", "any"), "go")
                                        .end(
                                                Observation.text("there"),
                                                new EpisodeEnd.Terminated(
                                                        EpisodeEnd.Reason.GOAL, 1, true))));
        RunConfig config = recorded("{files: [" + file + "]}");
        assertEquals(1, Preflight.recorded(config, splits("a", "b", "a")).size());
        String message =
                assertThrows(
                                RunException.class,
                                () -> Preflight.recorded(config, splits("a", "b", "c")))
                        .getMessage();
        assertTrue(message.contains("of task 'c', which is of evaluation.split"), message);
        // Its split does not count, so that it may be the one that is judged on.
        assertDoesNotThrow(() -> Preflight.requireOtherTasks(config, splits("c", "b", "c")));
    }

    @Test
    void demonstrationsComeFromAnExpertOrFromFiles() {
        for (String neither : List.of("{}", "{expert: any, files: [a.jsonl]}")) {
            String message =
                    assertThrows(ConfigException.class, () -> recorded(neither)).getMessage();
            assertTrue(message.contains("give one of the two"), message);
        }
    }

    private static RunConfig recorded(String demonstrations) {
        return ConfigBinder.strict()
                .bind(
                        ConfigNode.parse(
                                "{name: x, environment: splits, loop: {iterations: 0}, evaluation:"
                                        + " {split: valid}, demonstrations: "
                                        + demonstrations
                                        + "}",
                                "x.yaml"),
                        RunConfig.class);
    }

    @Test
    void withoutIterationsNothingIsRolledOut() {
        assertDoesNotThrow(() -> Preflight.requireOtherTasks(config(0), splits("a", "b", "b")));
    }
}
