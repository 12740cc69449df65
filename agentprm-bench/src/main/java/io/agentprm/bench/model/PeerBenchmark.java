package io.agentprm.bench.model;

import io.agentprm.bench.measure.BenchmarkException;
import io.agentprm.bench.measure.Machine;
import io.agentprm.bench.measure.Samples;
import io.agentprm.engine.djl.Precision;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The same model, batch size, optimiser, threads and OpenMP settings in this project's engine and
 * in plain PyTorch. Both processes live side by side and take turns step by step, in alternating
 * order, so that both see the same machine; rounds start new processes.
 */
@Command(
        name = "peer",
        description = "Training steps in turns with plain PyTorch (Debian: python3-torch).",
        mixinStandardHelpOptions = true)
public final class PeerBenchmark implements Runnable {
    @Spec private CommandSpec spec;

    @Option(
            names = "--shapes",
            split = ",",
            defaultValue = "SMALL,MEDIUM,LARGE",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private List<ModelShape> shapes;

    @Option(
            names = "--threads",
            split = ",",
            defaultValue = "1,2",
            description = "Numbers of threads (default: ${DEFAULT-VALUE}).")
    private List<Integer> threads;

    @Option(
            names = "--rounds",
            defaultValue = "3",
            description = "Pairs of new processes (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--steps",
            defaultValue = "8",
            description =
                    "Steps measured in a round, after two that warm up (default: ${DEFAULT-VALUE}).")
    private int steps;

    @Option(
            names = "--python",
            defaultValue = "/usr/bin/python3",
            description = "Interpreter that has torch (default: ${DEFAULT-VALUE}).")
    private String python;

    @Option(
            names = "--script",
            defaultValue = "agentprm-bench/src/main/python/train_throughput.py",
            description = "The peer (default: ${DEFAULT-VALUE}).")
    private Path script;

    /** Who takes part. */
    private enum Side {
        F32,
        BF16,
        PYTHON
    }

    @Override
    public void run() {
        if (!Files.exists(script)) {
            throw new BenchmarkException(
                    "there is no "
                            + script
                            + "; start from the project's folder, or give --script");
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                "tokens a second of processor time (of wall clock): medians over the steps of all"
                        + " rounds; ratios to Python: median of the rounds' medians; products of each"
                        + " one's library: float32, all threads' processor time");
        for (int number : threads) {
            for (ModelShape shape : shapes) {
                compare(out, shape, number);
            }
        }
    }

    private void compare(PrintWriter out, ModelShape shape, int number) {
        Map<Side, Samples> all = samples();
        Map<Side, Samples> products = samples();
        Map<Side, List<Double>> byCpu = new LinkedHashMap<>();
        Map<Side, List<Double>> byWall = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            Map<Side, Samples> mine = round(shape, number, all, products);
            for (Side side : Side.values()) {
                byCpu.computeIfAbsent(side, s -> new ArrayList<>())
                        .add(mine.get(Side.PYTHON).cpu() / mine.get(side).cpu());
                byWall.computeIfAbsent(side, s -> new ArrayList<>())
                        .add(mine.get(Side.PYTHON).wall() / mine.get(side).wall());
            }
            out.printf(
                    Locale.ROOT,
                    "%s, %d threads, round %d: f32 %.2f times the peer, bf16 %.2f%n",
                    shape.label(),
                    number,
                    round + 1,
                    byCpu.get(Side.F32).get(round),
                    byCpu.get(Side.BF16).get(round));
            out.flush();
        }
        for (Side side : Side.values()) {
            out.printf(
                    Locale.ROOT,
                    "%-5s %d threads %-6s %7.0f (%7.0f) tokens/s, ratio %.2f (%.2f), products %.0f"
                            + " GFLOP/s, %s%n",
                    shape.label(),
                    number,
                    side,
                    shape.tokens() / all.get(side).cpu(),
                    shape.tokens() / all.get(side).wall(),
                    Samples.median(byCpu.get(side)),
                    Samples.median(byWall.get(side)),
                    Worker.PRODUCT_FLOPS / products.get(side).cpu() / 1e9,
                    Machine.load());
        }
        out.flush();
    }

    private Map<Side, Samples> round(
            ModelShape shape, int number, Map<Side, Samples> all, Map<Side, Samples> products) {
        Map<String, String> environment = environment(number);
        Map<Side, Samples> mine = samples();
        try (WorkerProcess f32 = WorkerProcess.java(shape, Precision.F32, number, environment);
                WorkerProcess bf16 =
                        WorkerProcess.java(shape, Precision.BF16, number, environment);
                WorkerProcess peer =
                        WorkerProcess.python(python, script, shape, number, environment)) {
            List<WorkerProcess> workers = List.of(f32, bf16, peer);
            for (int i = -2; i < steps; i++) {
                for (int turn = 0; turn < workers.size(); turn++) {
                    int which = Math.floorMod(i % 2 == 0 ? turn : -1 - turn, workers.size());
                    var timing = workers.get(which).ask("step");
                    if (i >= 0) {
                        Side side = Side.values()[which];
                        mine.get(side).add(timing);
                        all.get(side).add(timing);
                    }
                }
            }
            for (Side side : Side.values()) {
                workers.get(side.ordinal()).ask("product");
                products.get(side).add(workers.get(side.ordinal()).ask("product"));
            }
        }
        return mine;
    }

    private static Map<Side, Samples> samples() {
        Map<Side, Samples> samples = new LinkedHashMap<>();
        for (Side side : Side.values()) {
            samples.put(side, new Samples());
        }
        return samples;
    }

    /** The peer's libraries take their number of threads from here; OpenBLAS knows nothing else. */
    private static Map<String, String> environment(int number) {
        String threads = Integer.toString(number);
        return Map.of(
                "OMP_NUM_THREADS", threads,
                "OPENBLAS_NUM_THREADS", threads,
                "MKL_NUM_THREADS", threads,
                "OMP_WAIT_POLICY", "PASSIVE",
                "KMP_BLOCKTIME", "0");
    }
}
