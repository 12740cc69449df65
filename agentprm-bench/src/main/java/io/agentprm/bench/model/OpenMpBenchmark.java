package io.agentprm.bench.model;

import io.agentprm.bench.measure.Machine;
import io.agentprm.bench.measure.Samples;
import io.agentprm.engine.djl.Precision;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What waiting OpenMP threads cost when the machine has something else to do: training on several
 * threads beside busy ones, with threads that spin while they wait, with the OpenMP library's own
 * default, and with threads that sleep, as {@code ./agentprm} sets it.
 */
@Command(
        name = "openmp",
        description = "Training beside other work, by how OpenMP's threads wait.",
        mixinStandardHelpOptions = true)
public final class OpenMpBenchmark implements Runnable {
    /** Settings to compare; GNU's library spins 300,000 rounds if nothing is said. */
    private enum Wait {
        SPIN(Map.of("OMP_WAIT_POLICY", "ACTIVE", "KMP_BLOCKTIME", "infinite")),
        DEFAULT(
                Map.of(
                        "OMP_WAIT_POLICY",
                        "PASSIVE",
                        "GOMP_SPINCOUNT",
                        "300000",
                        "KMP_BLOCKTIME",
                        "200")),
        SLEEP(Map.of("OMP_WAIT_POLICY", "PASSIVE", "KMP_BLOCKTIME", "0"));

        private final Map<String, String> environment;

        Wait(Map<String, String> environment) {
            this.environment = environment;
        }
    }

    @Spec private CommandSpec spec;

    @Option(
            names = "--shape",
            defaultValue = "MEDIUM",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private ModelShape shape;

    @Option(
            names = "--threads",
            defaultValue = "2",
            description = "Threads of training (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(
            names = "--busy",
            split = ",",
            defaultValue = "0,1,2",
            description = "Numbers of busy threads beside it (default: ${DEFAULT-VALUE}).")
    private List<Integer> busy;

    @Option(
            names = "--rounds",
            defaultValue = "3",
            description = "Of new processes (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--steps",
            defaultValue = "6",
            description =
                    "Steps measured in a round, after one that warms up (default: ${DEFAULT-VALUE}).")
    private int steps;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        for (int number : busy) {
            Samples[] samples = new Samples[Wait.values().length];
            for (int round = 0; round < rounds; round++) {
                for (Wait wait : Wait.values()) {
                    int i = wait.ordinal();
                    samples[i] = samples[i] == null ? new Samples() : samples[i];
                    measure(wait, number, samples[i]);
                    out.printf(
                            Locale.ROOT,
                            "round %d, %s: %.2f s a step%n",
                            round + 1,
                            wait,
                            samples[i].wall());
                    out.flush();
                }
            }
            for (Wait wait : Wait.values()) {
                Samples mine = samples[wait.ordinal()];
                out.printf(
                        Locale.ROOT,
                        "%s, %d threads, %d busy beside it, %-7s %7.0f tokens/s, %5.2f s of"
                                + " processor time a step, %s%n",
                        shape.label(),
                        threads,
                        number,
                        wait,
                        shape.tokens() / mine.wall(),
                        mine.cpu(),
                        Machine.load());
            }
            out.flush();
        }
    }

    private void measure(Wait wait, int number, Samples into) {
        try (BusyThreads beside = new BusyThreads(number);
                WorkerProcess worker =
                        WorkerProcess.java(shape, Precision.F32, threads, wait.environment)) {
            for (int i = -1; i < steps; i++) {
                var timing = worker.ask("step");
                if (i >= 0) {
                    into.add(timing);
                }
            }
        }
    }

    /** Threads that never rest. */
    private static final class BusyThreads implements AutoCloseable {
        private final AtomicBoolean going = new AtomicBoolean(true);
        private final List<Thread> threads = new ArrayList<>();

        BusyThreads(int number) {
            for (int i = 0; i < number; i++) {
                Thread thread =
                        new Thread(
                                () -> {
                                    while (going.get()) {
                                        Thread.onSpinWait();
                                    }
                                },
                                "busy-" + i);
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
        }

        @Override
        public void close() {
            going.set(false);
        }
    }
}
