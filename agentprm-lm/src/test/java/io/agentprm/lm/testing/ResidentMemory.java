package io.agentprm.lm.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What this process held of the machine's memory at one moment, native memory included, which the
 * garbage collector does not see.
 */
public final class ResidentMemory {
    private static final Path STATUS = Path.of("/proc/self/status");

    /** What the JVM itself may take: compiled code, class data, what its heap has promoted. */
    private static final long SLACK = 40L << 20;

    private final long bytes;

    private ResidentMemory(long bytes) {
        this.bytes = bytes;
    }

    /** Skips the test where the system does not tell; goes first, since the work is long. */
    public static void require() {
        assumeTrue(Files.isReadable(STATUS), "resident memory is read from " + STATUS);
    }

    /** The heap's young pages always count, whether the work has touched them yet or not. */
    public static ResidentMemory now() {
        for (long left = Runtime.getRuntime().totalMemory(); left > 0; left -= 1 << 20) {
            Reference.reachabilityFence(new byte[1 << 20]);
        }
        System.gc();
        try {
            return new ResidentMemory(
                    Files.readAllLines(STATUS).stream()
                            .filter(line -> line.startsWith("VmRSS:"))
                            .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                            .findFirst()
                            .orElseThrow());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + STATUS, e);
        }
    }

    /**
     * Fails if the process has since taken more than the JVM may.
     *
     * @return growth in KiB
     */
    public long assertNotGrown() {
        long grown = now().bytes - bytes >> 10;
        assertTrue(grown < SLACK >> 10, () -> "resident memory grew by " + grown + " KiB");
        return grown;
    }
}
