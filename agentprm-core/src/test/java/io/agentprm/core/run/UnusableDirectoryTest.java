package io.agentprm.core.run;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.core.RunException;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.files.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnusableDirectoryTest {
    @Test
    void aPlaceThatCannotBeWrittenIsToldInWordsWithARemedy(@TempDir Path directory)
            throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "x");
        RunException e =
                assertThrows(
                        RunException.class,
                        () ->
                                RunDirectory.open(
                                        file,
                                        ConfigNode.parse("{}", "test"),
                                        1,
                                        Map.of(),
                                        Clock.systemUTC(),
                                        DurableFiles.standard()));
        assertTrue(e.getMessage().contains("is no directory; choose another"), e.getMessage());
        assertFalse(e.getMessage().contains("Exception"), e.getMessage());
    }
}
