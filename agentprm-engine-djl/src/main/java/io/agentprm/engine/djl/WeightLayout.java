package io.agentprm.engine.djl;

import io.agentprm.lm.checkpoint.AdapterConfig;
import io.agentprm.lm.checkpoint.LoraAdapter;
import io.agentprm.lm.checkpoint.LoraConfig;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.TensorShape;
import io.agentprm.lm.checkpoint.TensorSpec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * How the tensors of a checkpoint lie in the engine: query, key and value projections are one
 * matrix, gate and up projections another (fewer and larger products), and the two halves of each
 * rotary pair, which Hugging Face keeps half a head apart, lie side by side. All of it only
 * reorders rows, so values pass both ways unchanged.
 *
 * <p>The factors of an adapter stand behind the weights of their layer: for each product one A,
 * those of its parts stacked, and a B for each part. Then only they are trained, and a score head
 * that belongs to the adapter. Layers that the adapter leaves alone have factors of zeros, which
 * are not trained, so that all layers are laid out the same.
 */
final class WeightLayout {
    static final int EMBEDDING = 0;
    static final int LAST_NORM = 1;

    /** Offset of the fused projection within a layer, after the first norm. */
    static final int QKV = 1;

    /** A tensor of the checkpoint inside one of the engine. */
    record Part(TensorSpec spec, boolean rotary) {
        long rows() {
            return spec.shape().dim(0);
        }

        /** Values of a row. */
        int width() {
            return Math.toIntExact(spec.shape().elements() / rows());
        }
    }

    /** A tensor of the engine: parts stacked along the first dimension. */
    static final class Tensor {
        private final List<Part> parts;
        private final long[] shape;

        private Tensor(List<Part> parts) {
            this.parts = parts;
            shape = parts.get(0).spec().shape().toArray();
            shape[0] = parts.stream().mapToLong(p -> p.spec().shape().dim(0)).sum();
        }

        List<Part> parts() {
            return parts;
        }

        /** Name of the first part. */
        String name() {
            return parts.get(0).spec().name();
        }

        /**
         * Whether it may be held in bfloat16: a table or a matrix of a layer or of the vocabulary.
         */
        boolean isLarge() {
            return shape.length == 2 && !name().equals(ModelConfig.SCORE_WEIGHT);
        }

        long[] shape() {
            return shape.clone();
        }
    }

    private final int headDim;
    private final List<Tensor> tensors = new ArrayList<>();
    private final int previousEmbedding;
    private final int secondPreviousEmbedding;
    private final int recallEmbedding;
    private final int languageHead;
    private final int scoreHead;
    private final int scoreBias;
    private final int firstLayer;
    private final int tensorsPerLayer;
    private final Optional<AdapterConfig> adapter;
    private final Map<Integer, Factors> factors = new HashMap<>();
    private final List<Integer> trained = new ArrayList<>();

    /**
     * Where the factors of a product's adapter lie, as offsets within a layer.
     *
     * @param a the stacked A
     * @param b the B of each part of the product, or negative where that part is not adapted
     * @param rows outputs of each part
     */
    record Factors(int a, List<Integer> b, List<Long> rows) {}

    private WeightLayout(ModelConfig config, Optional<AdapterConfig> adapter) {
        this.adapter = adapter;
        headDim = config.headDim();
        Map<String, TensorSpec> specs = new HashMap<>();
        config.tensors().forEach(spec -> specs.put(spec.name(), spec));
        add(specs, ModelConfig.TOKEN_EMBEDDING);
        add(specs, "model.norm.weight");
        previousEmbedding = addIfPresent(specs, ModelConfig.PREVIOUS_TOKEN_EMBEDDING);
        secondPreviousEmbedding = addIfPresent(specs, ModelConfig.SECOND_PREVIOUS_TOKEN_EMBEDDING);
        recallEmbedding = addIfPresent(specs, ModelConfig.RECALL_EMBEDDING);
        int head = addIfPresent(specs, ModelConfig.LANGUAGE_HEAD);
        languageHead = config.languageHead() && config.tiedEmbeddings() ? EMBEDDING : head;
        scoreHead = addIfPresent(specs, ModelConfig.SCORE_WEIGHT);
        scoreBias = addIfPresent(specs, ModelConfig.SCORE_BIAS);
        firstLayer = tensors.size();
        for (int l = 0; l < config.layers(); l++) {
            addLayer(specs, config, "model.layers." + l + ".");
        }
        tensorsPerLayer = (tensors.size() - firstLayer) / config.layers();
        if (adapter.isEmpty()) {
            IntStream.range(0, tensors.size()).forEach(trained::add);
        } else if (adapter.get().scoreHead()) {
            IntStream.of(scoreHead, scoreBias).filter(i -> i >= 0).forEach(trained::add);
        }
        trained.sort(null);
    }

    /** The layout of a model all of whose weights are trained. */
    static WeightLayout of(ModelConfig config) {
        return of(config, Optional.empty());
    }

    /** The layout of a model, with an adapter where there is one. */
    static WeightLayout of(ModelConfig config, Optional<AdapterConfig> adapter) {
        return new WeightLayout(config, adapter);
    }

    private void addLayer(Map<String, TensorSpec> specs, ModelConfig config, String layer) {
        int start = tensors.size();
        String attention = layer + "self_attn.";
        add(specs, layer + "input_layernorm.weight");
        addProjections(specs, attention, ".weight");
        if (config.qkvBias()) {
            addProjections(specs, attention, ".bias");
        }
        if (config.qkNorm()) {
            addRotary(specs, attention + "q_norm.weight");
            addRotary(specs, attention + "k_norm.weight");
        }
        add(specs, attention + "o_proj.weight");
        add(specs, layer + "post_attention_layernorm.weight");
        add(specs, layer + "mlp.gate_proj.weight", layer + "mlp.up_proj.weight");
        add(specs, layer + "mlp.down_proj.weight");
        for (int i = start, end = tensors.size(); i < end; i++) {
            addFactors(i - start, tensors.get(i), start);
        }
    }

    /** The factors of those parts of a product that are adapted. */
    private void addFactors(int product, Tensor weight, int start) {
        List<Part> adapted = weight.parts.stream().filter(this::isAdapted).toList();
        if (adapted.isEmpty()) {
            return;
        }
        int rank = lora().orElseThrow().rank();
        boolean changes = LoraAdapter.adapts(adapter.orElseThrow(), adapted.get(0).spec());
        int a = addFactor(adapted.stream().map(p -> part(p, rank, false)).toList(), changes);
        List<Integer> b = new ArrayList<>();
        for (Part part : weight.parts) {
            b.add(
                    isAdapted(part)
                            ? addFactor(List.of(part(part, rank, true)), changes) - start
                            : -1);
        }
        List<Long> rows = weight.parts.stream().map(p -> p.spec().shape().dim(0)).toList();
        factors.put(product, new Factors(a - start, b, rows));
    }

    private static Part part(Part weight, int rank, boolean outputs) {
        return outputs
                ? new Part(LoraAdapter.factorB(weight.spec(), rank), weight.rotary())
                : new Part(LoraAdapter.factorA(weight.spec(), rank), false);
    }

    private boolean isAdapted(Part part) {
        return lora().stream().anyMatch(l -> LoraAdapter.targets(l, part.spec()));
    }

    private int addFactor(List<Part> parts, boolean changes) {
        if (changes) {
            trained.add(tensors.size());
        }
        tensors.add(new Tensor(parts));
        return tensors.size() - 1;
    }

    private void addProjections(Map<String, TensorSpec> specs, String attention, String suffix) {
        tensors.add(
                new Tensor(
                        List.of(
                                new Part(specs.get(attention + "q_proj" + suffix), true),
                                new Part(specs.get(attention + "k_proj" + suffix), true),
                                new Part(specs.get(attention + "v_proj" + suffix), false))));
    }

    private void addRotary(Map<String, TensorSpec> specs, String name) {
        tensors.add(new Tensor(List.of(new Part(specs.get(name), true))));
    }

    private int addIfPresent(Map<String, TensorSpec> specs, String name) {
        if (!specs.containsKey(name)) {
            return -1;
        }
        add(specs, name);
        return tensors.size() - 1;
    }

    private void add(Map<String, TensorSpec> specs, String... names) {
        List<Part> parts = new ArrayList<>();
        for (String name : names) {
            parts.add(new Part(specs.get(name), false));
        }
        tensors.add(new Tensor(parts));
    }

    /** The engine's tensors: embeddings, last norm, heads, then layer by layer. */
    List<Tensor> tensors() {
        return tensors;
    }

    /** Indices of the tensors that are trained, in ascending order. */
    List<Integer> trained() {
        return trained;
    }

    /** Whether a tensor is trained. */
    boolean trains(Tensor tensor) {
        return trained.contains(tensors.indexOf(tensor));
    }

    /** What is trained of a list that has an element for each tensor. */
    <T> List<T> trained(List<T> all) {
        return trained.stream().map(all::get).toList();
    }

    /** The adapter's scale and dropout, where there is one. */
    Optional<LoraConfig> lora() {
        return adapter.map(AdapterConfig::lora);
    }

    /** Whether training draws random numbers. */
    boolean dropout() {
        return lora().stream().anyMatch(l -> l.dropout() > 0);
    }

    /** The factors that change a product, which is given by its offset within a layer. */
    Optional<Factors> factors(int product) {
        return Optional.ofNullable(factors.get(product));
    }

    /** Index of the previous-token embedding, or negative. */
    int previousEmbedding() {
        return previousEmbedding;
    }

    /** Index of the second-previous-token embedding, or negative. */
    int secondPreviousEmbedding() {
        return secondPreviousEmbedding;
    }

    /** Index of the recall embedding, or negative. */
    int recallEmbedding() {
        return recallEmbedding;
    }

    /** Index of the language head (the embedding where tied), or negative. */
    int languageHead() {
        return languageHead;
    }

    /** Index of the score head, or negative. */
    int scoreHead() {
        return scoreHead;
    }

    /** Index of the score head's bias, or negative. */
    int scoreBias() {
        return scoreBias;
    }

    int firstLayer() {
        return firstLayer;
    }

    int tensorsPerLayer() {
        return tensorsPerLayer;
    }

    /** Values of an engine tensor from those of the checkpoint's tensors. */
    float[] toEngine(Tensor tensor, Function<String, float[]> checkpoint) {
        float[] out = new float[Math.toIntExact(TensorShape.of(tensor.shape).elements())];
        int at = 0;
        for (Part part : tensor.parts) {
            float[] values = checkpoint.apply(part.spec().name());
            int width = part.width();
            for (int row = 0; row < part.rows(); row++) {
                int place = at + (int) place(part, row) * width;
                System.arraycopy(values, row * width, out, place, width);
            }
            at += values.length;
        }
        return out;
    }

    /** About as many rows of a part, but at least one, and whole heads where pairs move. */
    int whole(Part part, int rows) {
        return part.rotary() ? Math.max(1, rows / headDim) * headDim : Math.max(1, rows);
    }

    /** Copies rows of whole heads from the order of the checkpoint to that of the engine. */
    void pair(ByteBuffer checkpoint, ByteBuffer engine, int rows, int rowBytes) {
        for (int row = 0; row < rows; row++) {
            engine.put((int) paired(row) * rowBytes, checkpoint, row * rowBytes, rowBytes);
        }
    }

    /** Place in the engine's part of a row that is {@code row} in the checkpoint's tensor. */
    long place(Part part, long row) {
        return part.rotary() ? paired(row) : row;
    }

    /** The first row of what a row is reordered within. */
    long headStart(Part part, long row) {
        return part.rotary() ? row - row % headDim : row;
    }

    /** The row after the last one of what a row is reordered within. */
    long headEnd(Part part, long row) {
        return part.rotary() ? row - row % headDim + headDim : row + 1;
    }

    private long paired(long row) {
        long inHead = row % headDim;
        int half = headDim / 2;
        return row - inHead + (inHead < half ? 2 * inHead : 2 * (inHead - half) + 1);
    }
}
