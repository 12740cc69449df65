package io.agentprm.engine.djl;

import ai.djl.Device;
import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.jni.IValue;
import ai.djl.pytorch.jni.JniUtils;
import io.agentprm.lm.checkpoint.LoraAdapter;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.TensorData;
import io.agentprm.lm.checkpoint.Tensors;
import io.agentprm.lm.decode.ChannelPlan;
import io.agentprm.lm.decode.PackedRows;
import io.agentprm.lm.decode.Tokens;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The weights of one model in native memory, and the kernels made for it. */
final class Decoder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Decoder.class);

    /** Instead of a key of dropout's draws. */
    static final long NO_DROPOUT = -1;

    private static final long DEFAULT_LOGIT_BYTES = 512L << 20;

    private final ModelConfig config;
    private final Precision precision;
    private final boolean oneDnn;
    private final WeightLayout layout;
    private final NDManager manager;
    private final Script script;
    private final Optional<BaseWeights> base;
    private final List<NDArray> weights;
    private final IValue weightList;
    private NDArray angles;
    private long logitBytes = DEFAULT_LOGIT_BYTES;

    private Decoder(
            ModelConfig config,
            WeightLayout layout,
            Precision precision,
            Device device,
            boolean oneDnn,
            Optional<BaseWeights> base,
            BiFunction<NDManager, WeightLayout.Tensor, NDArray> values) {
        this.config = config;
        this.precision = precision;
        this.oneDnn = oneDnn;
        this.layout = layout;
        this.base = base;
        this.manager = NDManager.newBaseManager(device, "PyTorch");
        JniUtils.setGraphExecutorOptimize(false);
        this.script = load(config, layout, precision, oneDnn, manager);
        this.weights = new ArrayList<>();
        for (int i = 0; i < layout.tensors().size(); i++) {
            WeightLayout.Tensor tensor = layout.tensors().get(i);
            Optional<NDArray> shared =
                    layout.trained().contains(i)
                            ? Optional.empty()
                            : base.flatMap(b -> b.get(tensor.name()));
            weights.add(shared.orElseGet(() -> values.apply(manager, tensor)));
        }
        this.weightList = Script.list(weights);
        this.angles = angles(256);
    }

    /** With oneDNN where it is wanted and this libtorch has it. */
    private static Script load(
            ModelConfig config,
            WeightLayout layout,
            Precision precision,
            boolean oneDnn,
            NDManager manager) {
        if (oneDnn && !manager.getDevice().isGpu()) {
            try {
                return Script.load(manager, Kernels.archive(config, layout, precision, true));
            } catch (EngineException e) {
                LOG.info("this libtorch has no oneDNN; products go another way", e);
            }
        }
        return Script.load(manager, Kernels.archive(config, layout, precision, false));
    }

    /** Loads a model with weights of its own; those of an adapter are merged into its base's. */
    static Decoder load(
            ModelDirectory directory, Precision precision, Precision held, Device device) {
        return load(directory, precision, held, device, true);
    }

    /**
     * Loads a model as {@link #load(ModelDirectory, Precision, Precision, Device)} does.
     *
     * @param held format in which the weights lie in memory
     * @param oneDnn whether products may go through oneDNN
     */
    static Decoder load(
            ModelDirectory directory,
            Precision precision,
            Precision held,
            Device device,
            boolean oneDnn) {
        WeightLayout layout = WeightLayout.of(directory.config());
        try (Tensors tensors = directory.openWeights();
                WeightLoader loader = new WeightLoader(tensors, layout, held)) {
            return new Decoder(
                    directory.config(),
                    layout,
                    precision,
                    device,
                    oneDnn,
                    Optional.empty(),
                    loader::load);
        }
    }

    /**
     * An adapter over weights that it shares with others.
     *
     * @param base closed with this decoder
     * @param directory the adapter's; the layers that it changes are changed in the same way
     */
    static Decoder over(
            BaseWeights base,
            ModelDirectory directory,
            Precision precision,
            Device device,
            boolean oneDnn) {
        LoraAdapter adapter = directory.adapter().orElseThrow();
        WeightLayout layout = WeightLayout.of(directory.config(), Optional.of(adapter.config()));
        return new Decoder(
                directory.config(),
                layout,
                precision,
                device,
                oneDnn,
                Optional.of(base),
                (manager, tensor) ->
                        layout.trains(tensor)
                                ? create(
                                        manager,
                                        layout.toEngine(tensor, adapter::values),
                                        tensor.shape())
                                : manager.zeros(new Shape(tensor.shape())));
    }

    /** A decoder of the same shape with a copy of the trained weights, over the same others. */
    Decoder copy() {
        Decoder copy =
                new Decoder(
                        config,
                        layout,
                        precision,
                        manager.getDevice(),
                        oneDnn,
                        base.map(BaseWeights::shared),
                        (owner, tensor) -> {
                            NDArray values =
                                    weights.get(layout.tensors().indexOf(tensor)).duplicate();
                            values.attach(owner);
                            return values;
                        });
        copy.boundLogits(logitBytes);
        return copy;
    }

    ModelConfig config() {
        return config;
    }

    WeightLayout layout() {
        return layout;
    }

    Script script() {
        return script;
    }

    List<NDArray> weights() {
        return weights;
    }

    /** Those weights that training changes. */
    List<NDArray> trained() {
        return layout.trained(weights);
    }

    /** A float32 tensor on the model's device, for kernels that make more of them. */
    NDArray example() {
        return weights.get(WeightLayout.LAST_NORM);
    }

    /** Positions whose logits may lie in memory at once. */
    int positions() {
        return (int) Math.max(1, logitBytes / ((long) config.vocabSize() * Float.BYTES));
    }

    /** Sets how much of logits may lie in memory at once. */
    void boundLogits(long bytes) {
        logitBytes = bytes;
    }

    /** The weights as one argument of a kernel. */
    IValue weightList() {
        return weightList;
    }

    /** Owner of everything that lives as long as the model. */
    NDManager manager() {
        return manager;
    }

    /** Rotations of positions 0 until at least {@code positions}, [n, headDim/2, 2]. */
    NDArray anglesFor(int positions) {
        if (positions > angles.getShape().get(0)) {
            NDArray longer = angles(Math.max(positions, 2 * (int) angles.getShape().get(0)));
            angles.close();
            angles = longer;
        }
        return angles;
    }

    private NDArray angles(int positions) {
        double[] frequencies = config.ropeFrequencies();
        float[] values = new float[positions * frequencies.length * 2];
        int at = 0;
        for (int p = 0; p < positions; p++) {
            for (double frequency : frequencies) {
                values[at++] = (float) Math.cos(p * frequency);
                values[at++] = (float) Math.sin(p * frequency);
            }
        }
        return create(manager, values, positions, frequencies.length, 2);
    }

    /** One forward pass: the channels of a plan as one vector. */
    NDArray outputs(NDManager owner, PackedRows rows, ChannelPlan plan) {
        return outputs(owner, rows, plan, false, weightList, NO_DROPOUT, List.of());
    }

    /** One forward pass that autograd and a tape record. */
    NDArray outputs(
            NDManager owner,
            PackedRows rows,
            ChannelPlan plan,
            Leaves weights,
            long dropoutKey,
            Tape tape) {
        return outputs(owner, rows, plan, true, weights.list(), dropoutKey, tape.value());
    }

    private NDArray outputs(
            NDManager owner,
            PackedRows rows,
            ChannelPlan plan,
            boolean gradient,
            IValue weights,
            long dropoutKey,
            Object tape) {
        return script.call(
                owner,
                "outputs",
                gradient,
                planes(owner, rows),
                tree(owner, rows),
                owner.create(rows.targets(), new Shape(2, rows.targetCount())),
                indices(owner, plan.scores() ? rows.marks() : new long[0]),
                plan.temperatures(),
                plan.wanted(),
                positions(),
                weights,
                anglesFor(rows.positions()),
                dropoutKey,
                tape);
    }

    static NDArray planes(NDManager owner, PackedRows rows) {
        return owner.create(rows.planes(), new Shape(rows.shape()));
    }

    static NDArray planes(NDManager owner, Tokens tokens) {
        return owner.create(tokens.planes(), new Shape(tokens.shape()));
    }

    /** Segments and forks, [2, rows, length]; a vector where no row has branches. */
    static NDArray tree(NDManager owner, PackedRows rows) {
        long[] shape = rows.shape();
        return rows.tree().length > 0
                ? owner.create(rows.tree(), new Shape(2, shape[1], shape[2]))
                : owner.create(new long[1], new Shape(1));
    }

    static NDArray indices(NDManager owner, long[] values) {
        return owner.create(values, new Shape(values.length));
    }

    /**
     * Arguments of the kernel {@code extend}.
     *
     * @param window those of {@link Window#arguments}
     * @param own keys and values of the rows' own earlier tokens; anything where {@code put} is
     *     given
     * @param shown additive mask over the own tokens, [rows, 1, 1, 1, columns], or one zero
     * @param put slots and columns of the new tokens in the window's buffer, [2, rows, length];
     *     empty where they go to {@code own}
     */
    Object[] extension(
            NDManager owner,
            Tokens tokens,
            Object[] window,
            NDArray own,
            NDArray shown,
            NDArray put) {
        List<Object> arguments = new ArrayList<>();
        arguments.add(planes(owner, tokens));
        arguments.addAll(List.of(window));
        arguments.addAll(List.of(own, shown, put, weightList, anglesFor(tokens.positions())));
        return arguments.toArray();
    }

    /** Overwrites an array in place. */
    void set(NDArray target, float[] values) {
        try (NDArray source = create(manager, values, target.getShape().getShape())) {
            script.call(manager, "assign", false, target, source).close();
        }
    }

    /**
     * The tensors of the checkpoint made of arrays, one for each trained weight. Their values are
     * read from the arrays when they are asked for.
     */
    List<TensorData> toCheckpoint(String prefix, List<NDArray> arrays) {
        List<TensorData> out = new ArrayList<>();
        List<WeightLayout.Tensor> trained = layout.trained(layout.tensors());
        for (int i = 0; i < arrays.size(); i++) {
            long row = 0;
            for (WeightLayout.Part part : trained.get(i).parts()) {
                out.add(
                        new TensorData(
                                prefix + part.spec().name(),
                                part.spec().shape(),
                                new PartValues(this, arrays.get(i), part, row)));
                row += part.rows();
            }
        }
        return out;
    }

    /** Overwrites arrays, one for each trained weight, with what {@link #toCheckpoint} wrote. */
    void fromCheckpoint(Tensors checkpoint, String prefix, List<NDArray> arrays) {
        List<WeightLayout.Tensor> trained = layout.trained(layout.tensors());
        try (WeightLoader loader = new WeightLoader(checkpoint, layout, Precision.F32)) {
            for (int i = 0; i < arrays.size(); i++) {
                loader.fill(arrays.get(i), trained.get(i), prefix);
            }
        }
    }

    /** A float32 array that owns a copy of the values. */
    static NDArray create(NDManager manager, float[] values, long... shape) {
        try (NDArray view = manager.create(FloatBuffer.wrap(values), new Shape(shape))) {
            return view.duplicate();
        }
    }

    @Override
    public void close() {
        weightList.close();
        script.close();
        manager.close();
        base.ifPresent(BaseWeights::close);
    }
}
