package io.agentprm.bench.games;

import io.agentprm.api.env.Environment;
import io.agentprm.bench.measure.CpuClock;
import io.agentprm.bench.measure.Heap;
import io.agentprm.bench.measure.Machine;
import io.agentprm.bench.measure.Timing;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Loading all games of a split in a JVM that has just started, as a run does: time, processor time,
 * and heap that stays in use afterwards.
 */
@Command(
        name = "loading",
        description = "Loads all games of a split, once, in this new JVM.",
        mixinStandardHelpOptions = true)
public final class LoadingBenchmark implements Runnable {
    private static final double MEGABYTE = 1 << 20;

    @Spec private CommandSpec spec;

    @Option(
            names = "--split",
            defaultValue = GameData.TRAIN,
            description = "Split to load (default: ${DEFAULT-VALUE}).")
    private String split;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        long empty = Heap.used();
        try (Environment environment = GameData.open()) {
            Timing timing = Timing.of(new CpuClock(), () -> environment.tasks(split));
            out.printf(
                    Locale.ROOT,
                    "%s, %s: %d games in %.2f s (processor time %.2f s), %.0f MB of heap, %s%n",
                    GameData.describe(),
                    split,
                    environment.tasks(split).size(),
                    timing.wall(),
                    timing.cpu(),
                    (Heap.used() - empty) / MEGABYTE,
                    Machine.load());
        }
    }
}
