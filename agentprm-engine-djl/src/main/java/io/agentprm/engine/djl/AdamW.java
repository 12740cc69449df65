package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.lm.checkpoint.SafetensorsFile;
import io.agentprm.lm.checkpoint.TensorData;
import io.agentprm.lm.checkpoint.TensorShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * AdamW with decoupled weight decay (Loshchilov and Hutter, ICLR 2019, algorithm 2) as one fused
 * kernel over all trained weights. As in PyTorch, a weight takes part from its first gradient on: a
 * head that no loss has read is neither moved nor decayed.
 */
final class AdamW {
    private static final String FIRST = "optimizer.exp_avg.";
    private static final String SECOND = "optimizer.exp_avg_sq.";
    private static final String STEPS = "optimizer.steps";

    private final Decoder decoder;
    private final OptimizerOptions options;
    private final List<NDArray> first = new ArrayList<>();
    private final List<NDArray> second = new ArrayList<>();
    private final List<NDArray> steps = new ArrayList<>();
    private final boolean[] started;
    private long updates;
    private Optional<Leaves> leaves = Optional.empty();

    AdamW(Decoder decoder, OptimizerOptions options) {
        this.decoder = decoder;
        this.options = options;
        NDManager manager = decoder.manager();
        for (NDArray weight : decoder.trained()) {
            first.add(manager.zeros(weight.getShape()));
            second.add(manager.zeros(weight.getShape()));
            steps.add(manager.zeros(new Shape()));
        }
        started = new boolean[steps.size()];
    }

    /** Number of updates so far. */
    long updates() {
        return updates;
    }

    /** What gradients are accumulated on until the next {@link #step} or {@link #clear}. */
    Leaves leaves() {
        if (leaves.isEmpty()) {
            leaves = Optional.of(new Leaves(decoder));
        }
        return leaves.get();
    }

    /** The gradients that backward has left, those of weights that had none being zeros. */
    List<NDArray> gradients() {
        return IntStream.range(0, started.length).mapToObj(this::gradient).toList();
    }

    private NDArray gradient(int i) {
        return leaves().gradient(i).orElseGet(() -> leaves().zeros(i));
    }

    /** Weights that have a gradient, or had one before. */
    private List<Integer> taking() {
        return IntStream.range(0, started.length)
                .filter(i -> started[i] || leaves().gradient(i).isPresent())
                .boxed()
                .toList();
    }

    private static List<NDArray> pick(List<NDArray> all, List<Integer> indices) {
        return indices.stream().map(all::get).toList();
    }

    /** Global norm of the accumulated gradients. */
    double gradientNorm() {
        try (NDArray norm =
                decoder.script()
                        .call(
                                decoder.manager(),
                                "norm",
                                false,
                                taking().stream().map(this::gradient).toList())) {
            return norm.toFloatArray()[0];
        }
    }

    /** Moves the weights along the gradients times {@code scale} and clears the gradients. */
    void step(double learningRate, double scale) {
        List<Integer> taking = taking();
        taking.forEach(i -> started[i] = true);
        updates++;
        decoder.script()
                .call(
                        decoder.manager(),
                        "adamw",
                        false,
                        pick(decoder.trained(), taking),
                        taking.stream().map(this::gradient).toList(),
                        pick(first, taking),
                        pick(second, taking),
                        pick(steps, taking),
                        scale,
                        learningRate,
                        options.beta1(),
                        options.beta2(),
                        options.weightDecay(),
                        options.epsilon())
                .close();
        clear();
    }

    /** Forgets the accumulated gradients. */
    void clear() {
        leaves.ifPresent(Leaves::close);
        leaves = Optional.empty();
    }

    /** The state under names that begin with {@code optimizer.}. */
    List<TensorData> state() {
        List<TensorData> out = new ArrayList<>(decoder.toCheckpoint(FIRST, first));
        out.addAll(decoder.toCheckpoint(SECOND, second));
        float[] counts = new float[steps.size()];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = steps.get(i).toFloatArray()[0];
        }
        out.add(TensorData.of(STEPS, TensorShape.of(counts.length), counts));
        return out;
    }

    /** Takes over a {@link #state}. */
    void restore(SafetensorsFile file) {
        float[] counts = file.toArray(STEPS);
        updates = 0;
        decoder.fromCheckpoint(file, FIRST, first);
        decoder.fromCheckpoint(file, SECOND, second);
        for (int i = 0; i < steps.size(); i++) {
            decoder.set(steps.get(i), new float[] {counts[i]});
            started[i] = counts[i] > 0;
            updates = Math.max(updates, (long) counts[i]);
        }
    }
}
