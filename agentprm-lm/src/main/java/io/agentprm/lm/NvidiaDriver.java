package io.agentprm.lm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The NVIDIA driver of this machine, for messages that say what was found. */
public final class NvidiaDriver {
    /** Where the driver tells its version on Linux. */
    public static final Path VERSION = Path.of("/proc/driver/nvidia/version");

    private NvidiaDriver() {}

    /**
     * The driver in a few words.
     *
     * @param file where it tells its version, such as {@link #VERSION}
     */
    public static String describe(Path file) {
        if (!Files.exists(file)) {
            return "none (" + file + " is absent)";
        }
        try {
            return Files.readString(file, StandardCharsets.UTF_8)
                    .lines()
                    .findFirst()
                    .orElse("")
                    .replaceAll("\\s+", " ")
                    .strip();
        } catch (IOException e) {
            return "one whose version can't be read (" + file + ")";
        }
    }
}
