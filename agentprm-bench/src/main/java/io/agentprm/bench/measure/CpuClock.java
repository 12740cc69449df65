package io.agentprm.bench.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Processor time of this process, of all its threads: what a shared machine distorts least. The
 * JVM's own compiler and collector count too, so warm up before reading.
 */
public final class CpuClock {
    private final OperatingSystemMXBean system =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    /** Seconds used since the process began. */
    public double seconds() {
        return system.getProcessCpuTime() / 1e9;
    }

    /** Load of the machine over the last minute, in runnable threads. */
    public double load() {
        return system.getSystemLoadAverage();
    }
}
