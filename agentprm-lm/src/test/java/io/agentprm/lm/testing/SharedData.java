package io.agentprm.lm.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the reference data that lies in a folder named "shared" beside or above the checkout. */
public final class SharedData {
    private SharedData() {}

    /** The path of {@code name} under the shared folder; skips the test where it is absent. */
    public static Path require(String name) {
        String property = System.getProperty("agentprm.shared", "");
        if (!property.isEmpty()) {
            Path path = Path.of(property, name);
            assumeTrue(Files.exists(path), "reference data not found: " + path);
            return path;
        }
        for (Path p = Path.of("").toAbsolutePath(); p != null; p = p.getParent()) {
            Path path = p.resolve("shared").resolve(name);
            if (Files.exists(path)) {
                return path;
            }
        }
        assumeTrue(false, "reference data not found: no ancestor has shared/" + name);
        throw new AssertionError("unreachable");
    }
}
