package io.agentprm.bench.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.stream.Stream;

/**
 * Processor time of this process, of all its threads: what a shared machine distorts least. The
 * JVM's own compiler and collector count too, so warm up before reading.
 */
public final class CpuClock {
    private final OperatingSystemMXBean system =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final List<ProcessHandle> others;

    /** A clock of this process. */
    public CpuClock() {
        this(List.of());
    }

    private CpuClock(List<ProcessHandle> others) {
        this.others = others;
    }

    /** The same clock, which counts another process too while it lives. */
    public CpuClock and(ProcessHandle other) {
        return new CpuClock(Stream.concat(others.stream(), Stream.of(other)).toList());
    }

    /** Seconds used since the process began. */
    public double seconds() {
        return system.getProcessCpuTime() / 1e9
                + others.stream()
                        .flatMap(other -> other.info().totalCpuDuration().stream())
                        .mapToDouble(used -> used.toNanos() / 1e9)
                        .sum();
    }

    /** Nanoseconds that the calling thread has used. */
    public long ofThread() {
        return threads.getCurrentThreadCpuTime();
    }

    /** Load of the machine over the last minute, in runnable threads. */
    public double load() {
        return system.getSystemLoadAverage();
    }
}
