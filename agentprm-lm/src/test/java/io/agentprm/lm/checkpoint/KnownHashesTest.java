package io.agentprm.lm.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownHashesTest {
    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
    private static final FileTime LONG_AGO = FileTime.from(NOW.minusSeconds(1000));
    private static final FileTime JUST_NOW = FileTime.from(NOW.minusSeconds(1));

    @TempDir Path dir;
    private final KnownHashes hashes = new KnownHashes(Clock.fixed(NOW, ZoneOffset.UTC));
    private Path file;

    @BeforeEach
    void create() throws IOException {
        file = dir.resolve("weights");
        write("first", LONG_AGO);
    }

    /** In place, so that it stays the same file. */
    private void write(String content, FileTime changed) throws IOException {
        Files.writeString(file, content);
        Files.setLastModifiedTime(file, changed);
    }

    private String hash() {
        return hashes.of(dir, name -> true);
    }

    private String read() {
        return ContentHash.of(dir, name -> true);
    }

    @Test
    void aFileThatLooksTheSameIsNotReadAgain() throws IOException {
        String before = hash();
        assertEquals(read(), before);
        write("other", LONG_AGO);
        assertNotEquals(read(), before);
        assertEquals(before, hash());
    }

    @Test
    void anotherTimeSizeNameOrFileIsReadAgain() throws IOException {
        hash();
        write("other", FileTime.from(NOW.minusSeconds(999)));
        assertEquals(read(), hash());
        write("longer than that", FileTime.from(NOW.minusSeconds(999)));
        assertEquals(read(), hash());
        Files.writeString(dir.resolve("more"), "");
        Files.setLastModifiedTime(dir.resolve("more"), LONG_AGO);
        assertEquals(read(), hash());
        Path other = dir.resolve("new");
        Files.writeString(other, "shorter than it.");
        Files.setLastModifiedTime(other, FileTime.from(NOW.minusSeconds(999)));
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
        assertEquals(read(), hash());
    }

    @Test
    void aFileThatWasChangedJustNowIsNotTrusted() throws IOException {
        write("again", JUST_NOW);
        hash();
        write("other", JUST_NOW);
        assertEquals(read(), hash());
    }
}
