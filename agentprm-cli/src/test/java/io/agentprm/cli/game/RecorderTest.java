package io.agentprm.cli.game;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
import io.agentprm.core.store.TrajectoryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecorderTest {
    private static final Task TASK = Task.of("t", "train", "any");

    @TempDir private Path directory;

    @Test
    void oneProcessAddsToAFile() {
        Path file = directory.resolve("a.jsonl.gz");
        try (Recorder recorder = Recorder.to(file)) {
            RunException e = assertThrows(RunException.class, () -> Recorder.to(file));
            assertTrue(e.getMessage().contains("is being written by process"), e.getMessage());
            recorder.record(episode(recorder.nextAttempt(TASK)));
        }
        Recorder.to(file).close();
    }

    @Test
    void aFileThatIsDamagedOrHoldsSomethingElseIsRefusedAtOnceAndLeftAlone() throws IOException {
        Path notes = Files.writeString(directory.resolve("notes.txt"), "remember the milk\n");
        assertThrows(RunException.class, () -> Recorder.to(notes));
        assertEquals("remember the milk\n", Files.readString(notes));
        Path file = directory.resolve("a.jsonl.gz");
        try (Recorder recorder = Recorder.to(file)) {
            recorder.record(episode(0));
        }
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 9));
        RunException e = assertThrows(RunException.class, () -> Recorder.to(file));
        assertTrue(e.getMessage().contains("the file ends too early"), e.getMessage());
        assertTrue(e.getMessage().contains("move the file away"), e.getMessage());
        assertEquals(whole.length - 9, Files.size(file));
    }

    @Test
    void aFolderThatIsNotThereIsNamed() {
        Path file = directory.resolve("none/a.jsonl.gz");
        RunException e = assertThrows(RunException.class, () -> Recorder.to(file));
        assertTrue(
                e.getMessage().contains("there is no folder " + directory.resolve("none")),
                e.getMessage());
    }

    @Test
    void whatCouldNotBeWrittenIsWrittenWithTheNext() throws IOException {
        Path folder = Files.createDirectory(directory.resolve("folder"));
        Path file = folder.resolve("a.jsonl.gz");
        try (Recorder recorder = Recorder.to(file)) {
            recorder.record(episode(0));
            // Something in the way of the temporary file.
            Path blocked = Files.createDirectory(folder.resolve(".tmp-a.jsonl.gz"));
            Files.createFile(blocked.resolve("x"));
            assertThrows(RunException.class, () -> recorder.record(episode(1)));
            assertEquals(1, TrajectoryFiles.trajectories().read(file).size());
            assertTrue(recorder.inWords().endsWith(", 1 not written yet"), recorder.inWords());
            Files.delete(blocked.resolve("x"));
            recorder.record(episode(2));
            assertTrue(recorder.inWords().startsWith("3 episodes in "), recorder.inWords());
        }
        assertEquals(3, TrajectoryFiles.trajectories().read(file).size());
    }

    private static Trajectory episode(int number) {
        return Trajectory.builder(TASK, "go")
                .episode(number)
                .end(
                        Observation.text("there"),
                        new EpisodeEnd.Terminated(EpisodeEnd.Reason.GOAL, 1, true));
    }
}
