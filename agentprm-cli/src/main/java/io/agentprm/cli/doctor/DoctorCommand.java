package io.agentprm.cli.doctor;

import io.agentprm.cli.plugin.PluginOptions;
import io.agentprm.core.plugin.PluginDirectories;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Looks at everything a run needs. Exit code 1 if something will not work. */
@Command(
        name = "doctor",
        description =
                "Check Java, plugins, native libraries, processor, memory, disk, GPU and data.")
public final class DoctorCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Mixin private PluginOptions plugins = new PluginOptions();

    private final Function<PluginDirectories, List<Probe>> probes;

    /** The probes of this machine. */
    public DoctorCommand() {
        this(
                directories ->
                        List.of(
                                new JavaProbe(),
                                new MachineProbe(
                                        Path.of("/proc/cpuinfo"),
                                        Path.of("").toAbsolutePath(),
                                        System.getenv()),
                                new PluginProbe(directories),
                                new EngineProbe(directories::discover),
                                new GpuProbe(Path.of("/proc/driver/nvidia/version")),
                                new AlfworldDataProbe(System.getenv()),
                                new WebshopDataProbe(System.getenv())));
    }

    DoctorCommand(List<Probe> probes) {
        this(directories -> probes);
    }

    private DoctorCommand(Function<PluginDirectories, List<Probe>> probes) {
        this.probes = probes;
    }

    @Override
    public Integer call() {
        try (PluginDirectories directories = plugins.open()) {
            return report(probes.apply(directories));
        }
    }

    private int report(List<Probe> all) {
        PrintWriter out = spec.commandLine().getOut();
        long problems = 0;
        for (Probe probe : all) {
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
