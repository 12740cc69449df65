package io.agentprm.core.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A file of {@code META-INF/services}. */
final class ServiceFile {
    static final String DIRECTORY = "META-INF/services/";

    private ServiceFile() {}

    /** Class names in it, without comments; closes the stream. */
    static List<String> read(InputStream stream) throws IOException {
        try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.replaceFirst("#.*", "").strip())
                    .filter(line -> !line.isEmpty())
                    .distinct()
                    .toList();
        }
    }
}
