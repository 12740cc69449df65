package io.agentprm.env.alfworld.expert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.junit.jupiter.api.Assumptions;

/** The released games, from the shared data beside the repository; tests skip without it. */
public final class RealGames {
    private RealGames() {}

    /** Shows each game of a split, in the archive's order. */
    public static void forEach(String split, BiConsumer<String, JsonNode> seen) {
        Path archive = shared("alfworld/json_2.1.1-" + split + ".tar.xz");
        ObjectMapper mapper = new ObjectMapper();
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(
                        new XZCompressorInputStream(
                                new BufferedInputStream(Files.newInputStream(archive))))) {
            TarArchiveEntry entry;
            while ((entry = tar.getNextEntry()) != null) {
                if (entry.getName().endsWith("game.tw-pddl")) {
                    String text = new String(tar.readAllBytes(), StandardCharsets.UTF_8);
                    seen.accept(entry.getName(), mapper.readTree(text));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All games of a split by path. */
    public static Map<String, JsonNode> of(String split) {
        Map<String, JsonNode> games = new TreeMap<>();
        forEach(split, games::put);
        return games;
    }

    private static Path shared(String name) {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null) {
            Path candidate = folder.resolve("shared").resolve(name);
            if (Files.isRegularFile(candidate)) {
                return candidate;
            }
            folder = folder.getParent();
        }
        return Assumptions.abort(
                "no folder 'shared' with " + name + " beside the repository, so this is skipped");
    }
}
