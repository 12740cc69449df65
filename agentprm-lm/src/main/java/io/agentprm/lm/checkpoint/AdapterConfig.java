package io.agentprm.lm.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.lm.LanguageModelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * PEFT's {@code adapter_config.json}.
 *
 * @param base directory of the model that is adapted, as the file names it
 * @param baseHash {@link ModelDirectory#weightsHash} of that model, where the file tells it. It
 *     stands in PEFT's {@code revision}, "the specific base model version", as {@code sha256:} and
 *     64 hexadecimal digits; there PEFT keeps it, and ignores it for a base on disk
 * @param lora the change
 * @param layers numbers of the layers that are changed, in ascending order; empty for all
 * @param scoreHead whether the score head belongs to the adapter ({@code modules_to_save})
 */
public record AdapterConfig(
        String base,
        Optional<String> baseHash,
        LoraConfig lora,
        List<Integer> layers,
        boolean scoreHead) {
    static final String FILE = "adapter_config.json";

    private static final String BASE = "base_model_name_or_path";
    private static final String SHA256 = "sha256:";

    /**
     * What PEFT puts into modules_to_save for sequence classification, whatever the head's name.
     */
    private static final List<String> HEADS = List.of("classifier", "score");

    /** Keys that are honoured, whatever they say. */
    private static final Set<String> READ =
            Set.of(
                    BASE,
                    "bias",
                    "init_lora_weights",
                    "lora_alpha",
                    "lora_dropout",
                    "modules_to_save",
                    "peft_type",
                    "r",
                    "revision",
                    "use_rslora");

    /**
     * Keys that do not change what a forward pass computes: the tensors tell which weights are
     * adapted, and the rest says how an adapter began, or who wrote it.
     */
    private static final Set<String> HARMLESS =
            Set.of(
                    "auto_mapping",
                    "corda_config",
                    "eva_config",
                    "exclude_modules",
                    "inference_mode",
                    "layers_pattern",
                    "layers_to_transform",
                    "loftq_config",
                    "megatron_config",
                    "megatron_core",
                    "peft_version",
                    "qalora_group_size",
                    "target_modules",
                    "task_type");

    /** Ways to begin with A and B that leave the weights of the base as they are. */
    private static final Set<String> PURE_STARTS =
            Set.of("true", "false", "gaussian", "eva", "orthogonal");

    public AdapterConfig {
        layers = layers.stream().sorted().toList();
    }

    /** Whether a layer is changed. */
    boolean changes(int layer) {
        return layers.isEmpty() || layers.contains(layer);
    }

    /**
     * Reads the file of an adapter's directory.
     *
     * @param targets names of the adapted linear maps, as the tensors beside it tell them: the file
     *     may name them by a pattern
     * @param layers numbers of the adapted layers, likewise; empty for all
     * @throws LanguageModelException if it is missing or wrong, or asks for a feature of PEFT
     *     beyond plain LoRA with a score head
     */
    static AdapterConfig read(Path directory, List<String> targets, List<Integer> layers) {
        Path file = directory.resolve(FILE);
        JsonNode json = Json.readObject(file);
        rejectUnsupported(file, json);
        int rank = json.path("r").asInt();
        try {
            return new AdapterConfig(
                    json.path(BASE).asText(""),
                    Optional.of(json.path("revision").asText(""))
                            .filter(revision -> revision.startsWith(SHA256))
                            .map(revision -> revision.substring(SHA256.length())),
                    new LoraConfig(
                            rank,
                            json.path("lora_alpha").asDouble(rank),
                            targets,
                            json.path("lora_dropout").asDouble(0),
                            json.path("use_rslora").asBoolean()),
                    layers,
                    savesHead(file, json.path("modules_to_save")));
        } catch (IllegalArgumentException e) {
            throw new LanguageModelException(file + ": " + e.getMessage(), e);
        }
    }

    /** What the file of an adapter's directory names as the base model; empty if nothing. */
    static String base(Path directory) {
        return Json.readObject(directory.resolve(FILE)).path(BASE).asText("");
    }

    private static void rejectUnsupported(Path file, JsonNode json) {
        if (!json.path("peft_type").asText().equals("LORA")) {
            throw wrong(file, "peft_type must be LORA, is " + json.path("peft_type"));
        }
        if (!json.path("bias").asText("none").equals("none")) {
            throw wrong(file, "bias must be none, is " + json.path("bias"));
        }
        // PEFT writes every key it knows: one that is off says nothing, any other may mean other
        // numbers.
        for (Map.Entry<String, JsonNode> field : json.properties()) {
            String key = field.getKey();
            JsonNode value = field.getValue();
            boolean off =
                    value.isNull()
                            || (value.isBoolean() && !value.asBoolean())
                            || (value.isContainerNode() && value.isEmpty());
            if (!off && !READ.contains(key) && !HARMLESS.contains(key)) {
                throw wrong(
                        file,
                        key
                                + " is not supported (value "
                                + value
                                + "); supported is plain LoRA with the keys "
                                + new TreeSet<>(READ)
                                + ": train it without, or merge it into its base with PEFT's"
                                + " merge_and_unload");
            }
        }
        String start = json.path("init_lora_weights").asText("true");
        if (!json.path("init_lora_weights").isNull() && !PURE_STARTS.contains(start)) {
            throw wrong(
                    file,
                    "init_lora_weights "
                            + start
                            + " changed the weights of the base, which are not here; save the"
                            + " adapter with PEFT's path_initial_model_for_weight_conversion");
        }
        if (json.path("r").asInt() <= 0) {
            throw wrong(file, "r must be positive, is " + json.path("r"));
        }
    }

    private static boolean savesHead(Path file, JsonNode modules) {
        List<String> names = new ArrayList<>();
        modules.forEach(name -> names.add(name.asText()));
        if (!HEADS.containsAll(names)) {
            throw wrong(file, "modules_to_save is supported for " + HEADS + ", is " + modules);
        }
        return !names.isEmpty();
    }

    private static LanguageModelException wrong(Path file, String what) {
        return new LanguageModelException(file + ": " + what);
    }

    /** Writes the file into an adapter's directory, with the keys that PEFT needs. */
    void write(Path directory) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put(BASE, base);
        json.put("bias", "none");
        json.put("fan_in_fan_out", false);
        json.put("inference_mode", true);
        json.put("init_lora_weights", true);
        if (!layers.isEmpty()) {
            layers.forEach(json.putArray("layers_to_transform")::add);
        }
        json.put("lora_alpha", lora.alpha());
        json.put("lora_dropout", lora.dropout());
        if (scoreHead) {
            HEADS.forEach(json.putArray("modules_to_save")::add);
        } else {
            json.putNull("modules_to_save");
        }
        json.put("peft_type", "LORA");
        json.put("r", lora.rank());
        json.put("revision", baseHash.map(hash -> SHA256 + hash).orElse(null));
        ArrayNode targets = json.putArray("target_modules");
        new TreeSet<>(lora.targetModules()).forEach(targets::add);
        json.put("task_type", scoreHead ? "SEQ_CLS" : "CAUSAL_LM");
        json.put("use_rslora", lora.rslora());
        Json.write(directory.resolve(FILE), json);
    }
}
