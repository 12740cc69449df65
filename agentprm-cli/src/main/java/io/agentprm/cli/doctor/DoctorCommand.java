package io.agentprm.cli.doctor;

import io.agentprm.cli.plugin.PluginDirectory;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Looks at everything a run needs. Exit code 1 if something will not work. */
@Command(
        name = "doctor",
        description = "Check Java, native libraries, processor, memory, disk, GPU and data.")
public final class DoctorCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    private final List<Probe> probes;

    /** The probes of this machine. */
    public DoctorCommand() {
        this(
                List.of(
                        new JavaProbe(),
                        new MachineProbe(
                                Path.of("/proc/cpuinfo"),
                                Path.of("").toAbsolutePath(),
                                System.getenv()),
                        new EngineProbe(() -> PluginDirectory.installed().discover()),
                        new GpuProbe(Path.of("/proc/driver/nvidia/version")),
                        new DataProbe(System.getenv())));
    }

    DoctorCommand(List<Probe> probes) {
        this.probes = probes;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        long problems = 0;
        for (Probe probe : probes) {
            for (Finding finding : probe.look()) {
                problems += finding.grade() == Finding.Grade.PROBLEM ? 1 : 0;
                out.printf(
                        Locale.ROOT,
                        "%-8s %-14s %s%n",
                        finding.grade().name().toLowerCase(Locale.ROOT),
                        finding.topic(),
                        finding.text());
            }
        }
        out.println(problems == 0 ? "No problems." : problems + " problem(s).");
        return problems == 0 ? 0 : 1;
    }
}
