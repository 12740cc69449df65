package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.lm.LanguageModel;
import io.agentprm.lm.testing.OwnJvm;
import io.agentprm.lm.testing.TinyModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PassingDirectoryTest {
    @TempDir private Path directory;

    @Test
    void isGoneWithItsFilesWhenItIsClosed() {
        PassingDirectory passing = PassingDirectory.create();
        passing.fill(path -> Files.writeString(path.resolve("a"), "content"));
        assertTrue(Files.exists(passing.path().resolve("a")));
        passing.close();
        assertFalse(Files.exists(passing.path()));
    }

    @Test
    void whatCannotBeWrittenSaysWhereAndWhatToDo() {
        try (PassingDirectory passing = PassingDirectory.create()) {
            String message =
                    assertThrows(
                                    OnnxEngineException.class,
                                    () ->
                                            passing.fill(
                                                    path -> {
                                                        throw new IOException("No space left");
                                                    }))
                            .getMessage();
            assertTrue(message.contains(passing.path().toString()), message);
            assertTrue(message.contains("No space left"), message);
            assertTrue(message.contains("java.io.tmpdir"), message);
        }
    }

    @Test
    void loadingAModelLeavesNothingThere() throws IOException {
        Path model = TinyModels.create(directory, "model", 1);
        Set<Path> before = left();
        try (OnnxEngine engine = TestEngine.open();
                LanguageModel loaded = engine.load(model)) {
            assertEquals("onnx", loaded.info().engine());
            assertEquals(before, left());
        }
    }

    /** Makes a directory and is killed. */
    static final class Killed {
        private Killed() {}

        public static void main(String[] args) {
            System.out.println(PassingDirectory.create().path());
            Runtime.getRuntime().halt(0);
        }
    }

    @Test
    void whatAKilledProcessLeftIsRemovedWhenTheNextIsMade() throws IOException {
        Path left = Path.of(OwnJvm.run(Killed.class, jar -> true).strip());
        Files.writeString(left.resolve("model.onnx.data"), "weights");
        try (PassingDirectory soon = PassingDirectory.create()) {
            assertTrue(Files.exists(left), "somebody may be about to lock it");
        }
        past(left);
        try (PassingDirectory later = PassingDirectory.create()) {
            assertFalse(Files.exists(left));
            assertTrue(Files.exists(later.path()));
        }
    }

    /** Makes a directory beside one that looks old. */
    static final class Neighbour {
        private Neighbour() {}

        public static void main(String[] args) throws IOException {
            past(Path.of(System.getProperty("used")));
            PassingDirectory.create().close();
        }
    }

    @Test
    void whatIsInUseIsLeftAloneByThisProcessAndOthers() {
        try (PassingDirectory used = PassingDirectory.create()) {
            OwnJvm.run(Neighbour.class, jar -> true, "-Dused=" + used.path());
            PassingDirectory.create().close();
            OwnJvm.run(Neighbour.class, jar -> true, "-Dused=" + used.path());
            assertTrue(Files.exists(used.path().resolve("lock")));
        }
    }

    /** Not of a locked one of this process, which would lose its lock by it. */
    private static void past(Path directory) throws IOException {
        Files.setLastModifiedTime(
                directory.resolve("lock"), FileTime.from(Instant.now().minusSeconds(3600)));
    }

    private static Set<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("agentprm-onnx"))
                    .collect(Collectors.toSet());
        }
    }
}
