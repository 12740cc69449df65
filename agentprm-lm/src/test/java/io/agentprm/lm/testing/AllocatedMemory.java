package io.agentprm.lm.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import com.sun.jna.Structure;
import java.util.List;

/**
 * What glibc's allocator has handed out and not got back, at one moment: native memory to the byte.
 * Unlike resident memory it counts neither what was freed and is kept for the next time nor the
 * JVM's heap, so it shows leaks of a kilobyte a run.
 */
public final class AllocatedMemory {
    /** The JVM's compiler takes memory while it is at work, and gives it back. */
    private static final int SAMPLES = 5;

    private static final int PATIENCE = 100;
    private static final long PAUSE_MILLIS = 50;

    private final long bytes;

    private AllocatedMemory(long bytes) {
        this.bytes = bytes;
    }

    /** The result of {@code mallinfo2}, of which two fields are read. */
    public static final class Info extends Structure implements Structure.ByValue {
        public long arena;
        public long ordblks;
        public long smblks;
        public long hblks;
        public long hblkhd;
        public long usmblks;
        public long fsmblks;
        public long uordblks;
        public long fordblks;
        public long keepcost;

        @Override
        protected List<String> getFieldOrder() {
            return List.of(
                    "arena",
                    "ordblks",
                    "smblks",
                    "hblks",
                    "hblkhd",
                    "usmblks",
                    "fsmblks",
                    "uordblks",
                    "fordblks",
                    "keepcost");
        }
    }

    /** Skips the test where the allocator does not tell; goes first, since the work is long. */
    public static void require() {
        boolean tells = false;
        try {
            tells = Platform.isLinux() && mallinfo() != null;
        } catch (UnsatisfiedLinkError e) {
            // Another C library, or one from before 2.33.
        }
        assumeTrue(tells, "allocated memory is what glibc's mallinfo2 says");
    }

    private static Function mallinfo() {
        return NativeLibrary.getInstance("c").getFunction("mallinfo2");
    }

    /** Of the whole process, when the garbage collector and the JVM's compiler are at rest. */
    public static AllocatedMemory now() {
        long least = sample();
        for (int i = 1; i < SAMPLES; i++) {
            least = Math.min(least, sample());
        }
        return new AllocatedMemory(least);
    }

    private static long sample() {
        System.gc();
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        Info info = (Info) mallinfo().invoke(Info.class, new Object[0]);
        return info.uordblks + info.hblkhd;
    }

    /**
     * Fails if the process holds more than that many bytes more, and keeps on holding them.
     *
     * @return growth in bytes
     */
    public long assertNotGrown(long allowed) {
        long grown = sample() - bytes;
        for (int i = 0; grown >= allowed && i < PATIENCE; i++) {
            grown = Math.min(grown, sample() - bytes);
        }
        String message = "allocated memory grew by " + grown + " bytes";
        assertTrue(grown < allowed, message);
        return grown;
    }
}
