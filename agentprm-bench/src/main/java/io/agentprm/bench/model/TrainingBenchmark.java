package io.agentprm.bench.model;

import io.agentprm.bench.measure.Machine;
import io.agentprm.bench.measure.Samples;
import io.agentprm.bench.measure.Timing;
import io.agentprm.engine.djl.Precision;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * How much of the machine's own matrix-product rate training reaches. Steps and products of large
 * square float32 matrices take turns, in one process and through one engine; the share is the
 * median of each step's rate over that of the product after it. See {@link ModelShape#flops} for
 * what counts.
 */
@Command(
        name = "training",
        description = "Training steps beside matrix products through the same engine.",
        mixinStandardHelpOptions = true)
public final class TrainingBenchmark implements Runnable {
    private static final double GIGA = 1e9;

    @Spec private CommandSpec spec;

    @Option(
            names = "--shapes",
            split = ",",
            defaultValue = "SMALL,MEDIUM,LARGE",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private List<ModelShape> shapes;

    @Option(
            names = "--precisions",
            split = ",",
            defaultValue = "F32,BF16",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private List<Precision> precisions;

    @Option(
            names = "--threads",
            split = ",",
            defaultValue = "1,2",
            description = "Numbers of threads (default: ${DEFAULT-VALUE}).")
    private List<Integer> threads;

    @Option(
            names = "--steps",
            defaultValue = "15",
            description = "Steps measured, after three that warm up (default: ${DEFAULT-VALUE}).")
    private int steps;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println("AdamW, clipping; product: float32, side " + Worker.SIDE);
        out.println(
                "shape precision threads | tokens a step, tokens/s of processor time, of wall clock"
                        + " | GFLOP/s a core: training, product | share by processor time, by wall"
                        + " clock | load");
        for (int number : threads) {
            for (ModelShape shape : shapes) {
                for (Precision precision : precisions) {
                    out.println(measure(shape, precision, number));
                    out.flush();
                }
            }
        }
    }

    private String measure(ModelShape shape, Precision precision, int number) {
        Samples training = new Samples();
        Samples product = new Samples();
        List<Double> byCpu = new ArrayList<>();
        List<Double> byWall = new ArrayList<>();
        double ratio = shape.flops() / Worker.PRODUCT_FLOPS;
        try (WorkerProcess worker = WorkerProcess.java(shape, precision, number, Map.of())) {
            for (int i = -3; i < steps; i++) {
                Timing step = worker.ask("step");
                Timing reference = worker.ask("product");
                if (i >= 0) {
                    training.add(step);
                    product.add(reference);
                    byCpu.add(ratio * reference.cpu() / step.cpu());
                    byWall.add(ratio * reference.wall() / step.wall());
                }
            }
        }
        return String.format(
                Locale.ROOT,
                "%-6s %-4s %d | %5d %7.0f %7.0f | %6.1f %6.1f | %5.1f %% %5.1f %% | %s",
                shape.label(),
                precision,
                number,
                shape.tokens(),
                shape.tokens() / training.cpu(),
                shape.tokens() / training.wall(),
                shape.flops() / training.cpu() / GIGA,
                Worker.PRODUCT_FLOPS / product.cpu() / GIGA,
                100 * Samples.median(byCpu),
                100 * Samples.median(byWall),
                Machine.load());
    }
}
