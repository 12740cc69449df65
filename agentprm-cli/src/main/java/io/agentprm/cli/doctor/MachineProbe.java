package io.agentprm.cli.doctor;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Processor, memory, disk, OpenMP settings. */
final class MachineProbe implements Probe {
    private final Path cpuInfo;
    private final Path workingDirectory;
    private final Map<String, String> environment;

    MachineProbe(Path cpuInfo, Path workingDirectory, Map<String, String> environment) {
        this.cpuInfo = cpuInfo;
        this.workingDirectory = workingDirectory;
        this.environment = environment;
    }

    @Override
    public List<Finding> look() {
        List<Finding> findings = new ArrayList<>();
        int processors = Runtime.getRuntime().availableProcessors();
        findings.add(
                Finding.ok(
                        "processor",
                        processors
                                + " x "
                                + CpuInfo.read(cpuInfo)
                                        .map(CpuInfo::model)
                                        .orElse(System.getProperty("os.arch"))));
        CpuInfo.read(cpuInfo).map(MachineProbe::features).ifPresent(findings::add);
        findings.add(openMp(processors));
        findings.add(memory());
        findings.add(disk());
        return findings;
    }

    private static Finding features(CpuInfo cpu) {
        List<String> present = cpu.features();
        return present.contains("avx2") || present.isEmpty()
                ? Finding.ok("cpu features", String.join(" ", present))
                : Finding.note(
                        "cpu features",
                        String.join(" ", present) + "; without avx2 training is slow");
    }

    private Finding openMp(int processors) {
        String threads =
                Optional.ofNullable(environment.get("OMP_NUM_THREADS"))
                        .map(n -> "OMP_NUM_THREADS=" + n)
                        .orElse("OMP_NUM_THREADS unset (" + processors + ")");
        String policy = environment.getOrDefault("OMP_WAIT_POLICY", "");
        return policy.equalsIgnoreCase("passive")
                ? Finding.ok("openmp", threads + ", waiting threads sleep")
                : Finding.note(
                        "openmp",
                        threads
                                + "; OMP_WAIT_POLICY is not PASSIVE, so waiting threads spin"
                                + " (the agentprm launcher sets it)");
    }

    private static Finding memory() {
        OperatingSystemMXBean system =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long total = system.getTotalMemorySize();
        String text = Sizes.text(total) + ", " + Sizes.text(system.getFreeMemorySize()) + " unused";
        return total < Sizes.gigabytes(5)
                ? Finding.note("memory", text + "; the quickstart may take up to 6 GB")
                : Finding.ok("memory", text);
    }

    private Finding disk() {
        try {
            long free = Files.getFileStore(workingDirectory).getUsableSpace();
            String text = Sizes.text(free) + " free at " + workingDirectory;
            return free < Sizes.gigabytes(2)
                    ? Finding.problem("disk", text + "; a run needs about 2 GB")
                    : Finding.ok("disk", text);
        } catch (IOException e) {
            return Finding.note("disk", "free space unknown: " + e.getMessage());
        }
    }
}
