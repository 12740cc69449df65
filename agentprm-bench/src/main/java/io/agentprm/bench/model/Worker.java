package io.agentprm.bench.model;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.agentprm.algos.loss.SftLoss;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.bench.measure.BenchmarkException;
import io.agentprm.bench.measure.CpuClock;
import io.agentprm.bench.measure.Timing;
import io.agentprm.engine.djl.DjlConfig;
import io.agentprm.engine.djl.DjlEngine;
import io.agentprm.engine.djl.Precision;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * One model in a process of its own, since threads and OpenMP settings hold for a whole process. It
 * works when asked: a line {@code step} trains on the batch once, a line {@code product} multiplies
 * two square matrices through the same engine. The answer is a line with seconds on the wall clock,
 * seconds of processor time, and the loss (0 for a product). The peer in Python speaks the same.
 */
final class Worker implements AutoCloseable {
    /** Side of the matrices of a product. */
    static final int SIDE = 2048;

    /** Floating-point operations of a product. */
    static final double PRODUCT_FLOPS = 2.0 * SIDE * SIDE * SIDE;

    private static final UpdateOptions UPDATE = new UpdateOptions(1e-3, 1, Integer.MAX_VALUE);

    private final CpuClock clock = new CpuClock();
    private final Models models = new Models();
    private final TrainableModel model;
    private final List<TrainingRow> batch;
    private final NDManager manager;
    private final NDArray left;
    private final NDArray right;
    private double loss;

    Worker(ModelShape shape, Precision precision, int threads) {
        DjlEngine engine =
                DjlEngine.open(DjlConfig.defaults().withThreads(threads).withPrecision(precision));
        model =
                engine.loadTrainable(
                        models.create("model", shape.config()), OptimizerOptions.adamW(0.01));
        batch = batch(shape);
        manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");
        left = manager.randomNormal(new Shape(SIDE, SIDE));
        right = manager.randomNormal(new Shape(SIDE, SIDE));
    }

    /** Arguments: name of the {@link ModelShape}, of the {@link Precision}, number of threads. */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = System.out;
        try (Worker worker =
                        new Worker(
                                ModelShape.valueOf(arguments[0]),
                                Precision.valueOf(arguments[1]),
                                Integer.parseInt(arguments[2]));
                Reader in = new InputStreamReader(System.in, StandardCharsets.UTF_8)) {
            worker.serve(new BufferedReader(in), out);
        }
    }

    private void serve(BufferedReader in, PrintStream out) throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Timing timing = work(line);
            out.printf(Locale.ROOT, "%.6f %.6f %.6f%n", timing.wall(), timing.cpu(), loss);
            out.flush();
        }
    }

    private Timing work(String command) {
        return switch (command) {
            case "step" ->
                    Timing.of(clock, () -> loss = model.step(batch, new SftLoss(), UPDATE).loss());
            case "product" -> Timing.of(clock, () -> left.matMul(right).close());
            default ->
                    throw new BenchmarkException("a worker knows step and product, not " + command);
        };
    }

    /** Random tokens, the same for every process. */
    private static List<TrainingRow> batch(ModelShape shape) {
        SplittableRandom random = new SplittableRandom(1);
        boolean[] targets = new boolean[shape.length()];
        Arrays.fill(targets, 1, targets.length, true);
        return Stream.generate(
                        () ->
                                random.ints(
                                                shape.length(),
                                                Models.FIRST_ORDINARY,
                                                shape.vocabulary())
                                        .toArray())
                .limit(shape.rows())
                .map(tokens -> TokenSegment.of(tokens, targets, new int[0]))
                .map(segment -> TrainingRow.of(TokenTree.trunk(segment)))
                .toList();
    }

    @Override
    public void close() {
        manager.close();
        model.close();
        models.close();
    }
}
