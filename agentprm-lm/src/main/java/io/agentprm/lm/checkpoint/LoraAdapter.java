package io.agentprm.lm.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.lm.LanguageModelException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A low-rank adapter in PEFT's layout ({@code adapter_config.json}, {@code
 * adapter_model.safetensors}): for some weights W [out, in] a change scale × B A with A [r, in] and
 * B [out, r] (Hu et al. 2021, section 4.1).
 */
public final class LoraAdapter {
    private static final String PREFIX = "base_model.model.";
    private static final String A_SUFFIX = ".lora_A.weight";
    private static final String B_SUFFIX = ".lora_B.weight";

    private final double scale;
    private final Map<String, Factors> byWeight;

    private LoraAdapter(double scale, Map<String, Factors> byWeight) {
        this.scale = scale;
        this.byWeight = Collections.unmodifiableMap(byWeight);
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
     *     LoRA is asked for, or a tensor does not fit the base model
     */
    public static LoraAdapter read(Path directory, ModelConfig config) {
        Path configFile = directory.resolve("adapter_config.json");
        JsonNode json = Json.readObject(configFile);
        int rank = rejectUnsupported(configFile, json);
        double alpha = json.path("lora_alpha").asDouble(rank);
        double divisor = json.path("use_rslora").asBoolean() ? Math.sqrt(rank) : rank;
        Map<String, TensorShape> base = new TreeMap<>();
        config.tensors().forEach(t -> base.put(t.name(), t.shape()));
        Path weightFile = directory.resolve("adapter_model.safetensors");
        try (SafetensorsFile file = SafetensorsFile.open(weightFile)) {
            Map<String, Factors> factors = new TreeMap<>();
            for (String name : file.names()) {
                if (name.endsWith(A_SUFFIX)) {
                    String weight = weightName(weightFile, name);
                    factors.put(weight, factors(file, name, rank, base.get(weight)));
                } else if (!name.endsWith(B_SUFFIX)
                        || !file.names().contains(name.replace(B_SUFFIX, A_SUFFIX))) {
                    throw wrong(weightFile, "unexpected tensor " + name);
                }
            }
            if (factors.isEmpty()) {
                throw wrong(weightFile, "no lora_A tensors");
            }
            return new LoraAdapter(alpha / divisor, factors);
        }
    }

    /** Factor of every change: alpha / r (or alpha / √r where {@code use_rslora} is set). */
    public double scale() {
        return scale;
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
                merged[o * f.in() + i] += (float) (scale * row[i]);
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

    private static int rejectUnsupported(Path file, JsonNode json) {
        if (!json.path("peft_type").asText().equals("LORA")) {
            throw wrong(file, "peft_type must be LORA, is " + json.path("peft_type"));
        }
        if (!json.path("bias").asText("none").equals("none")) {
            throw wrong(file, "bias must be none, is " + json.path("bias"));
        }
        for (String key :
                new String[] {
                    "use_dora",
                    "fan_in_fan_out",
                    "lora_bias",
                    "rank_pattern",
                    "alpha_pattern",
                    "modules_to_save",
                    "layer_replication",
                    "trainable_token_indices"
                }) {
            JsonNode value = json.path(key);
            boolean off = value.isContainerNode() ? value.isEmpty() : !value.asBoolean(false);
            if (!off) {
                throw wrong(file, key + " is not supported (value " + value + ")");
            }
        }
        int rank = json.path("r").asInt();
        if (rank <= 0) {
            throw wrong(file, "r must be positive, is " + json.path("r"));
        }
        return rank;
    }

    private static LanguageModelException wrong(Path file, String what) {
        return new LanguageModelException(file + ": " + what);
    }
}
