package io.agentprm.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Memory of this process as Linux counts it, native memory included. */
public final class ProcessMemory {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path CLEAR = Path.of("/proc/self/clear_refs");

    private ProcessMemory() {}

    /** Resident bytes now, after a collection of the heap. */
    public static long resident() {
        System.gc();
        return read("VmRSS:");
    }

    /** The most resident bytes since the process began or {@link #resetPeak}. */
    public static long peak() {
        return read("VmHWM:");
    }

    /** Lets the peak begin anew from what is resident now. */
    public static void resetPeak() {
        try {
            Files.writeString(CLEAR, "5");
        } catch (IOException e) {
            throw new BenchmarkException(CLEAR + " can't be written; Linux is needed", e);
        }
    }

    private static long read(String key) {
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith(key))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                    .findFirst()
                    .orElseThrow(() -> new BenchmarkException(STATUS + " has no " + key));
        } catch (IOException e) {
            throw new BenchmarkException(STATUS + " can't be read; Linux is needed", e);
        }
    }
}
