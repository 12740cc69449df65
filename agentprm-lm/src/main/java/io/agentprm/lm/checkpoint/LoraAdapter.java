package io.agentprm.lm.checkpoint;

import io.agentprm.lm.LanguageModelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A low-rank adapter in PEFT's layout ({@code adapter_config.json}, {@code
 * adapter_model.safetensors}): for some weights W [out, in] a change scale × B A with A [r, in] and
 * B [out, r] (Hu et al. 2021, section 4.1), and perhaps a score head of its own.
 */
public final class LoraAdapter {
    /** What PEFT puts before the name of a tensor of the base model. */
    static final String PREFIX = "base_model.model.";

    static final String FILE = "adapter_model.safetensors";

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
            AdapterConfig own = AdapterConfig.read(directory, modules(factorsOf.keySet()));
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
     * layer.
     */
    public static List<TensorSpec> factorSpecs(ModelConfig base, LoraConfig lora) {
        List<TensorSpec> specs = new ArrayList<>();
        for (TensorSpec weight : base.tensors()) {
            if (adapts(lora, weight)) {
                specs.add(factorA(weight, lora.rank()));
                specs.add(factorB(weight, lora.rank()));
            }
        }
        return specs;
    }

    /** Whether a tensor of the base model is a weight that such an adapter changes. */
    public static boolean adapts(LoraConfig lora, TensorSpec tensor) {
        return tensor.shape().rank() == 2 && lora.targetModules().contains(module(tensor.name()));
    }

    /** Whether every layer is changed in the same way, as an adapter is while it is trained. */
    public boolean everyLayer(ModelConfig base) {
        return base.tensors().stream()
                .filter(tensor -> adapts(config.lora(), tensor))
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
        Factors f = factors(weight);
        if (base.length != f.out() * f.in()) {
            throw new IllegalArgumentException(
                    weight + " has " + f.out() * f.in() + " values, not " + base.length);
        }
        float[] merged = base.clone();
        double[] row = new double[f.in()];
        for (int o = 0; o < f.out(); o++) {
            Arrays.fill(row, 0);
            for (int r = 0; r < f.rank(); r++) {
                double b = f.b()[o * f.rank() + r];
                for (int i = 0; i < f.in(); i++) {
                    row[i] += b * f.a()[r * f.in() + i];
                }
            }
            for (int i = 0; i < f.in(); i++) {
                merged[o * f.in() + i] += (float) (scale() * row[i]);
            }
        }
        return merged;
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
