package io.agentprm.lm.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.lm.LanguageModelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A model in Hugging Face's directory layout: {@code config.json}, {@code model.safetensors} (or
 * shards with {@code model.safetensors.index.json}), {@code generation_config.json} and {@code
 * tokenizer.json}. Opening reads the configuration and checks that the weight files hold exactly
 * the tensors that it asks for; it reads no weights.
 */
public final class ModelDirectory {
    private static final String CONFIG = "config.json";
    private static final String GENERATION = CompanionFiles.GENERATION;
    private static final String TOKENIZER = CompanionFiles.TOKENIZER;
    private static final String WEIGHTS = "model.safetensors";
    private static final String INDEX = "model.safetensors.index.json";

    private final Path path;
    private final ModelConfig config;
    private final List<Integer> stopTokenIds;

    private ModelDirectory(Path path, ModelConfig config, List<Integer> stopTokenIds) {
        this.path = path;
        this.config = config;
        this.stopTokenIds = List.copyOf(stopTokenIds);
    }

    /**
     * @throws LanguageModelException if a file is missing or wrong, or a tensor is missing, of
     *     another shape, or not part of the model
     */
    public static ModelDirectory open(Path directory) {
        ModelDirectory model = withoutWeights(directory);
        model.openWeights().close();
        return model;
    }

    /**
     * Opens a directory whose weights are kept in another format than safetensors, or are of no
     * interest.
     *
     * @throws LanguageModelException if the configuration is missing or wrong
     */
    public static ModelDirectory withoutWeights(Path directory) {
        if (!Files.isDirectory(directory)) {
            throw new LanguageModelException("No such model directory: " + directory);
        }
        Path configFile = directory.resolve(CONFIG);
        if (!Files.isRegularFile(configFile)) {
            throw new LanguageModelException(
                    directory + " is not a model directory: it has no " + CONFIG);
        }
        ModelConfig config = ModelConfig.read(configFile);
        return new ModelDirectory(directory, config, stopTokens(directory, config));
    }

    /**
     * Writes a new model directory atomically.
     *
     * @param target must not exist
     * @param tensors exactly the ones of {@link ModelConfig#tensors()}
     * @param type element type of the weight file, F32 or BF16
     * @param companions the files beside the weights; without a {@code generation_config.json}
     *     among them one is written from the configuration
     * @throws LanguageModelException if the tensors do not fit the configuration or the directory
     *     cannot be written
     */
    public static ModelDirectory create(
            Path target,
            ModelConfig config,
            Collection<TensorData> tensors,
            ElementType type,
            CompanionFiles companions) {
        Map<String, TensorShape> present = new HashMap<>();
        tensors.forEach(t -> present.put(t.name(), t.shape()));
        requireTensors(target, config, present);
        AtomicDirectory.create(
                target,
                directory -> {
                    config.write(directory.resolve(CONFIG), type);
                    if (!companions.names().contains(GENERATION)) {
                        writeGeneration(directory.resolve(GENERATION), config);
                    }
                    companions.writeTo(directory);
                    SafetensorsWriter.write(directory.resolve(WEIGHTS), tensors, type);
                });
        return open(target);
    }

    public Path path() {
        return path;
    }

    public ModelConfig config() {
        return config;
    }

    /**
     * Tokens at which generation stops: those of {@code generation_config.json}, or where it is
     * silent those of {@code config.json}.
     */
    public List<Integer> stopTokenIds() {
        return stopTokenIds;
    }

    /** The tokenizer's file, where there is one. */
    public Optional<Path> tokenizerFile() {
        return Optional.of(path.resolve(TOKENIZER)).filter(Files::isRegularFile);
    }

    /** The files beside the weights that a model made from this one keeps. */
    public CompanionFiles companions() {
        return CompanionFiles.of(path);
    }

    /**
     * Writes configuration and companions, for weights of another format to go beside.
     *
     * @param target an existing directory
     */
    public void copyWithoutWeights(Path target) throws IOException {
        Files.copy(path.resolve(CONFIG), target.resolve(CONFIG));
        companions().writeTo(target);
    }

    /** SHA-256 over all files, see {@link ContentHash}. */
    public String contentHash() {
        return ContentHash.of(path);
    }

    /**
     * Opens the weight files. The caller closes the result.
     *
     * @throws LanguageModelException as {@link #open(Path)}
     */
    public Tensors openWeights() {
        Tensors weights = openFiles();
        try {
            Map<String, TensorShape> present = new HashMap<>();
            for (String name : weights.names()) {
                present.put(name, weights.shape(name));
            }
            requireTensors(path, config, present);
            requireFloats(weights);
            return weights;
        } catch (LanguageModelException e) {
            weights.close();
            throw e;
        }
    }

    private void requireFloats(Tensors weights) {
        for (TensorSpec spec : config.tensors()) {
            ElementType type = weights.elementType(spec.name());
            if (!type.isFloat()) {
                throw new LanguageModelException(
                        String.format(
                                Locale.ROOT,
                                "%s: tensor %s holds %s; F32, BF16 and F16 can be read",
                                path,
                                spec.name(),
                                type));
            }
        }
    }

    private Tensors openFiles() {
        if (Files.isRegularFile(path.resolve(INDEX))) {
            return ShardedTensors.open(path.resolve(INDEX));
        }
        if (Files.isRegularFile(path.resolve(WEIGHTS))) {
            return SafetensorsFile.open(path.resolve(WEIGHTS));
        }
        String remedy =
                Files.isRegularFile(path.resolve("pytorch_model.bin"))
                        ? "; pytorch_model.bin is not read, convert it to safetensors"
                        : "";
        throw new LanguageModelException(
                path + " has neither " + WEIGHTS + " nor " + INDEX + remedy);
    }

    private static void requireTensors(
            Path where, ModelConfig config, Map<String, TensorShape> present) {
        List<String> problems = new ArrayList<>();
        Map<String, TensorShape> rest = new HashMap<>(present);
        for (TensorSpec spec : config.tensors()) {
            TensorShape shape = rest.remove(spec.name());
            if (shape == null) {
                problems.add("missing " + spec.name() + " " + spec.shape());
            } else if (!shape.equals(spec.shape())) {
                problems.add(spec.name() + " has shape " + shape + ", expected " + spec.shape());
            }
        }
        for (String name : new TreeSet<>(rest.keySet())) {
            if (!redundant(config, name)) {
                problems.add("unexpected " + name + " " + rest.get(name));
            }
        }
        if (!problems.isEmpty()) {
            int shown = Math.min(5, problems.size());
            throw new LanguageModelException(
                    String.format(
                            Locale.ROOT,
                            "The weights of %s do not fit its config.json (%d problems): %s%s",
                            where,
                            problems.size(),
                            String.join("; ", problems.subList(0, shown)),
                            shown < problems.size() ? "; …" : ""));
        }
    }

    /** Tensors that some published files hold although they follow from the others. */
    private static boolean redundant(ModelConfig config, String name) {
        return name.endsWith(".rotary_emb.inv_freq")
                || (config.tiedEmbeddings() && name.equals(ModelConfig.LANGUAGE_HEAD));
    }

    private static List<Integer> stopTokens(Path directory, ModelConfig config) {
        Path file = directory.resolve(GENERATION);
        if (!Files.isRegularFile(file)) {
            return config.eosTokenIds();
        }
        JsonNode json = Json.readObject(file);
        List<Integer> ids = ModelConfigReader.tokenIds(file, json, "eos_token_id");
        return ids.isEmpty() ? config.eosTokenIds() : ids;
    }

    /**
     * Puts a token first among those at which generation stops, which makes it the end of turn.
     *
     * @throws LanguageModelException if the directory's files cannot be read or written
     */
    public static void stopFirstAt(Path directory, int id) {
        List<Integer> before = stopTokens(directory, ModelConfig.read(directory.resolve(CONFIG)));
        if (!before.isEmpty() && before.get(0) == id) {
            return;
        }
        List<Integer> ids = new ArrayList<>(List.of(id));
        before.stream().filter(other -> other != id).forEach(ids::add);
        Path file = directory.resolve(GENERATION);
        ObjectNode json =
                Files.isRegularFile(file)
                        ? (ObjectNode) Json.readObject(file)
                        : Json.MAPPER.createObjectNode();
        ModelConfigWriter.putIds(json, "eos_token_id", ids);
        Json.write(file, json);
    }

    private static void writeGeneration(Path file, ModelConfig config) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        config.bosTokenId().ifPresent(id -> json.put("bos_token_id", id));
        config.padTokenId().ifPresent(id -> json.put("pad_token_id", id));
        ModelConfigWriter.putIds(json, "eos_token_id", config.eosTokenIds());
        Json.write(file, json);
    }
}
