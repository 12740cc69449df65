package io.agentprm.lm.checkpoint;

import io.agentprm.lm.LanguageModelException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A low-rank adapter in PEFT's layout ({@code adapter_config.json}, {@code
 * adapter_model.safetensors}): for some weights W [out, in] a change scale × B A with A [r, in] and
 * B [out, r] (Hu et al. 2021, section 4.1), and perhaps a score head of its own.
 */
public final class LoraAdapter {
    /** What PEFT puts before the name of a tensor of the base model. */
    static final String PREFIX = "base_model.model.";

    static final String FILE = "adapter_model.safetensors";

    private static final String LAYERS = "model.layers.";
    private static final String A_SUFFIX = ".lora_A.weight";
    private static final String B_SUFFIX = ".lora_B.weight";
    private static final List<String> HEAD =
            List.of(ModelConfig.SCORE_WEIGHT, ModelConfig.SCORE_BIAS);

    private final AdapterConfig config;
    private final Map<String, Factors> byWeight;
    private final Map<String, float[]> head;

    private LoraAdapter(
            AdapterConfig config, Map<String, Factors> byWeight, Map<String, float[]> head) {
        this.config = config;
        this.byWeight = Collections.unmodifiableMap(byWeight);
        this.head = Collections.unmodifiableMap(head);
    }

    /**
     * The two factors of one weight's change.
     *
     * @param out rows of B and of the weight
     * @param rank rows of A and columns of B
     * @param in columns of A and of the weight
     * @param a row-major [rank, in]
     * @param b row-major [out, rank]
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Factors(int out, int rank, int in, float[] a, float[] b) {}

    /**
     * @param config the base model; every adapted weight must be one of its tensors
     * @throws LanguageModelException if a file is missing or wrong, a feature of PEFT beyond plain
     *     LoRA with a score head is asked for, or a tensor does not fit the base model
     */
    public static LoraAdapter read(Path directory, ModelConfig config) {
        Map<String, TensorShape> base = new TreeMap<>();
        config.tensors().forEach(t -> base.put(t.name(), t.shape()));
        Path weightFile = directory.resolve(FILE);
        try (SafetensorsFile file = SafetensorsFile.open(weightFile)) {
            Map<String, String> factorsOf = new TreeMap<>();
            Map<String, float[]> head = new TreeMap<>();
            for (String name : file.names()) {
                if (name.endsWith(A_SUFFIX)) {
                    factorsOf.put(weightName(weightFile, name), name);
                } else if (HEAD.contains(baseName(name))) {
                    requireShape(file, name, headShape(baseName(name), config));
                    head.put(baseName(name), file.toArray(name));
                } else if (!name.endsWith(B_SUFFIX)
                        || !file.names().contains(name.replace(B_SUFFIX, A_SUFFIX))) {
                    throw wrong(weightFile, "unexpected tensor " + name);
                }
            }
            if (factorsOf.isEmpty()) {
                throw wrong(weightFile, "no lora_A tensors");
            }
            Set<String> weights = factorsOf.keySet();
            AdapterConfig own =
                    AdapterConfig.read(directory, modules(weights), layers(weights, config));
            if (own.scoreHead() != head.containsKey(ModelConfig.SCORE_WEIGHT)) {
                throw wrong(
                        weightFile,
                        own.scoreHead()
                                ? "modules_to_save names a score head, but there is no "
                                        + fileName(ModelConfig.SCORE_WEIGHT)
                                : "there is a score head that modules_to_save does not name");
            }
            Map<String, Factors> factors = new TreeMap<>();
            factorsOf.forEach(
                    (weight, name) ->
                            factors.put(
                                    weight,
                                    factors(file, name, own.lora().rank(), base.get(weight))));
            return new LoraAdapter(own, factors, head);
        }
    }

    /** Name in an adapter's file of a tensor of the base model; other names stay. */
    static String fileName(String tensor) {
        return tensor.startsWith(PREFIX) ? tensor : PREFIX + tensor;
    }

    private static String baseName(String fileName) {
        return fileName.startsWith(PREFIX) ? fileName.substring(PREFIX.length()) : fileName;
    }

    private static TensorShape headShape(String name, ModelConfig config) {
        return name.equals(ModelConfig.SCORE_WEIGHT)
                ? TensorShape.of(1, config.hiddenSize())
                : TensorShape.of(1);
    }

    /** The linear maps that some weights belong to, such as q_proj. */
    private static List<String> modules(Set<String> weights) {
        return weights.stream().map(LoraAdapter::module).distinct().sorted().toList();
    }

    /** Numbers of the layers that some weights belong to; empty if these are all. */
    private static List<Integer> layers(Set<String> weights, ModelConfig config) {
        List<Integer> layers =
                IntStream.range(0, config.layers())
                        .filter(l -> weights.stream().anyMatch(w -> w.startsWith(layer(l))))
                        .boxed()
                        .toList();
        return layers.size() == config.layers() ? List.of() : layers;
    }

    private static String layer(int number) {
        return LAYERS + number + ".";
    }

    private static String module(String weight) {
        String stem = weight.substring(0, weight.lastIndexOf('.'));
        return stem.substring(stem.lastIndexOf('.') + 1);
    }

    /** What {@code adapter_config.json} says. */
    public AdapterConfig config() {
        return config;
    }

    /** Factor of every change: alpha / r (or alpha / √r where {@code use_rslora} is set). */
    public double scale() {
        return config.lora().scale();
    }

    /** The shape of the adapted model: the base's, with a score head where the adapter has one. */
    public ModelConfig over(ModelConfig base) {
        return head.isEmpty()
                ? base
                : base.toBuilder()
                        .scoreHead(true)
                        .scoreBias(head.containsKey(ModelConfig.SCORE_BIAS))
                        .build();
    }

    /** The score head's tensors by the base model's names; empty if the adapter has none. */
    public Map<String, float[]> head() {
        return head;
    }

    /**
     * The tensors of an adapter's factors in the names of its file: A and B of each target of each
     * layer that it changes.
     */
    public static List<TensorSpec> factorSpecs(ModelConfig base, AdapterConfig adapter) {
        return specs(base, adapter.lora().rank(), weight -> adapts(adapter, weight));
    }

    /** The tensors of the factors that this adapter has, in the names of its file. */
    List<TensorSpec> specs(ModelConfig base) {
        return specs(base, config.lora().rank(), weight -> byWeight.containsKey(weight.name()));
    }

    private static List<TensorSpec> specs(
            ModelConfig base, int rank, Predicate<TensorSpec> changed) {
        return base.tensors().stream()
                .filter(changed)
                .flatMap(weight -> Stream.of(factorA(weight, rank), factorB(weight, rank)))
                .toList();
    }

    /** Whether a tensor of the base model is a weight that such an adapter changes. */
    public static boolean adapts(AdapterConfig adapter, TensorSpec tensor) {
        return targets(adapter.lora(), tensor)
                && adapter.changes(
                        Integer.parseInt(
                                tensor.name()
                                        .substring(
                                                LAYERS.length(),
                                                tensor.name().indexOf('.', LAYERS.length()))));
    }

    /** Whether a tensor of the base model belongs to a target of such a change, in any layer. */
    public static boolean targets(LoraConfig lora, TensorSpec tensor) {
        return tensor.shape().rank() == 2 && lora.targetModules().contains(module(tensor.name()));
    }

    /**
     * Whether every layer that is changed at all is changed in the same linear maps, as an adapter
     * is while it is trained.
     */
    public boolean wholeLayers(ModelConfig base) {
        return base.tensors().stream()
                .filter(tensor -> adapts(config, tensor))
                .allMatch(tensor -> byWeight.containsKey(tensor.name()));
    }

    /** Name and shape of the factor A of a weight, [rank, in]. */
    public static TensorSpec factorA(TensorSpec weight, int rank) {
        return new TensorSpec(
                factorName(weight.name(), A_SUFFIX), TensorShape.of(rank, weight.shape().dim(1)));
    }

    /** Name and shape of the factor B of a weight, [out, rank]. */
    public static TensorSpec factorB(TensorSpec weight, int rank) {
        return new TensorSpec(
                factorName(weight.name(), B_SUFFIX), TensorShape.of(weight.shape().dim(0), rank));
    }

    /** Whether a tensor of an adapter is a factor A. */
    static boolean isFactorA(TensorSpec factor) {
        return factor.name().endsWith(A_SUFFIX);
    }

    private static String factorName(String weight, String suffix) {
        return fileName(weight.substring(0, weight.length() - ".weight".length()) + suffix);
    }

    /**
     * Values of a tensor by its name in the file.
     *
     * @throws LanguageModelException if the adapter has no such tensor
     */
    public float[] values(String name) {
        if (name.endsWith(A_SUFFIX)) {
            return factors(weightName(Path.of(FILE), name)).a();
        }
        if (name.endsWith(B_SUFFIX)) {
            return factors(weightName(Path.of(FILE), name.replace(B_SUFFIX, A_SUFFIX))).b();
        }
        float[] values = head.get(baseName(name));
        if (values == null) {
            throw new LanguageModelException("The adapter has no tensor " + name);
        }
        return values;
    }

    /** Names of the adapted weights of the base model, in alphabetical order. */
    public Set<String> weights() {
        return byWeight.keySet();
    }

    /**
     * @throws LanguageModelException if that weight is not adapted
     */
    public Factors factors(String weight) {
        Factors factors = byWeight.get(weight);
        if (factors == null) {
            throw new LanguageModelException(
                    "The adapter does not change " + weight + "; it changes " + weights());
        }
        return factors;
    }

    /**
     * The weight with its change added: W + scale × B A, row-major.
     *
     * @param base the values of W, which are not changed
     */
    public float[] merge(String weight, float[] base) {
        float[] merged = base.clone();
        merge(weight, 0, FloatBuffer.wrap(merged));
        return merged;
    }

    /** The tensors of its base model with its changes; closing them closes the base's. */
    public Tensors over(Tensors base) {
        return new AdaptedTensors(base, this);
    }

    /**
     * Adds its change to a piece of a weight.
     *
     * @param from number of the first value, row-major
     * @param values values of W, from the buffer's position to its limit
     */
    void merge(String weight, long from, FloatBuffer values) {
        Factors f = factors(weight);
        if (from + values.remaining() > (long) f.out() * f.in()) {
            throw new IllegalArgumentException(
                    weight + " has no " + values.remaining() + " values from " + from + " on");
        }
        double[] change = new double[f.in()];
        for (int at = values.position(), end = values.limit(); at < end; ) {
            int row = (int) (from / f.in());
            int column = (int) (from % f.in());
            int count = Math.min(f.in() - column, end - at);
            Arrays.fill(change, 0, count, 0);
            for (int r = 0; r < f.rank(); r++) {
                double b = f.b()[row * f.rank() + r];
                for (int i = 0; i < count; i++) {
                    change[i] += b * f.a()[r * f.in() + column + i];
                }
            }
            for (int i = 0; i < count; i++) {
                values.put(at + i, values.get(at + i) + (float) (scale() * change[i]));
            }
            at += count;
            from += count;
        }
    }

    private static Factors factors(
            SafetensorsFile file, String aName, int rank, TensorShape weight) {
        String bName = aName.replace(A_SUFFIX, B_SUFFIX);
        if (weight == null || weight.rank() != 2) {
            throw wrong(file.path(), aName + " adapts no weight matrix of the base model");
        }
        requireShape(file, aName, TensorShape.of(rank, weight.dim(1)));
        requireShape(file, bName, TensorShape.of(weight.dim(0), rank));
        return new Factors(
                Math.toIntExact(weight.dim(0)),
                rank,
                Math.toIntExact(weight.dim(1)),
                file.toArray(aName),
                file.toArray(bName));
    }

    private static void requireShape(SafetensorsFile file, String name, TensorShape expected) {
        TensorShape actual = file.shape(name);
        if (!actual.equals(expected)) {
            throw wrong(file.path(), name + " has shape " + actual + ", expected " + expected);
        }
    }

    private static String weightName(Path file, String aName) {
        if (!aName.startsWith(PREFIX)) {
            throw wrong(file, "tensor " + aName + " does not start with " + PREFIX);
        }
        return aName.substring(PREFIX.length(), aName.length() - A_SUFFIX.length()) + ".weight";
    }

    private static LanguageModelException wrong(Path file, String what) {
        return new LanguageModelException(file + ": " + what);
    }
}
