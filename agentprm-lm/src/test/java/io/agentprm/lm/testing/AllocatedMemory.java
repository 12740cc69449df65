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
 * Unlike {@link ResidentMemory} it does not count what was freed and is kept for the next time, so
 * it shows leaks of a hundred bytes a run.
 */
public final class AllocatedMemory {
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

    /** Of the whole process, after what only waited for the garbage collector has gone. */
    public static AllocatedMemory now() {
        System.gc();
        System.runFinalization();
        Info info = (Info) mallinfo().invoke(Info.class, new Object[0]);
        return new AllocatedMemory(info.uordblks + info.hblkhd);
    }

    /**
     * Fails if the process holds more than that many bytes more.
     *
     * @return growth in bytes
     */
    public long assertNotGrown(long allowed) {
        long grown = now().bytes - bytes;
        assertTrue(grown < allowed, () -> "allocated memory grew by " + grown + " bytes");
        return grown;
    }
}
