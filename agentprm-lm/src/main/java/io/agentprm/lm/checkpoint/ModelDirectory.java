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
 *
 * <p>A directory of a {@link LoraAdapter} in PEFT's layout is a model directory too: its weights
 * are those of its base with the adapter merged into them, and what else it lacks is the base's.
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
    private final Optional<Adapted> adapted;

    /** An adapter and the model that it changes. */
    private record Adapted(ModelDirectory base, LoraAdapter adapter) {}

    private ModelDirectory(
            Path path, ModelConfig config, List<Integer> stopTokenIds, Optional<Adapted> adapted) {
        this.path = path;
        this.config = config;
        this.stopTokenIds = List.copyOf(stopTokenIds);
        this.adapted = adapted;
    }

    /**
     * @throws LanguageModelException if a file is missing or wrong, a tensor is missing, of another
     *     shape, or not part of the model, or the base of an adapter is not there or another one
     *     than it was made for
     */
    public static ModelDirectory open(Path directory) {
        ModelDirectory model = withoutWeights(directory);
        model.openWeights().close();
        model.adapted.ifPresent(a -> requireSame(directory, a.base(), a.adapter().config()));
        return model;
    }

    private static void requireSame(Path adapter, ModelDirectory base, AdapterConfig config) {
        if (config.baseHash().isPresent()) {
            String hash = base.weightsHash();
            if (!hash.equals(config.baseHash().get())) {
                throw new LanguageModelException(
                        String.format(
                                Locale.ROOT,
                                "The adapter %s was made for other weights than those of %s now:"
                                        + " SHA-256 %s, not %s. Restore that model, or name its"
                                        + " place as base_model_name_or_path in %s",
                                adapter,
                                base.path(),
                                config.baseHash().get(),
                                hash,
                                AdapterConfig.FILE));
            }
        }
    }

    /** Whether a directory looks like that of a model or an adapter; its content may be wrong. */
    public static boolean isOne(Path directory) {
        return Files.isRegularFile(directory.resolve(CONFIG))
                || Files.isRegularFile(directory.resolve(AdapterConfig.FILE));
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
        if (Files.isRegularFile(configFile) && !isAdapter(directory)) {
            ModelConfig config = ModelConfig.read(configFile);
            List<Integer> stops = stopTokens(directory, config, config.eosTokenIds());
            return new ModelDirectory(directory, config, stops, Optional.empty());
        }
        if (Files.isRegularFile(directory.resolve(AdapterConfig.FILE))) {
            return withoutWeights(baseOf(directory)).adapted(directory);
        }
        throw new LanguageModelException(
                directory
                        + " is not a model directory: it has no "
                        + CONFIG
                        + ", and no "
                        + AdapterConfig.FILE);
    }

    /** Trainers put the configuration of the base beside an adapter. */
    private static boolean isAdapter(Path directory) {
        return Files.isRegularFile(directory.resolve(AdapterConfig.FILE)) && !hasWeights(directory);
    }

    /** Whether weights of a whole model lie there, in one file or in several. */
    public static boolean hasWeights(Path directory) {
        return Files.isRegularFile(directory.resolve(WEIGHTS))
                || Files.isRegularFile(directory.resolve(INDEX));
    }

    private static Path baseOf(Path adapter) {
        String base = AdapterConfig.base(adapter);
        Path directory = Path.of(base);
        if (base.isEmpty() || !Files.isRegularFile(directory.resolve(CONFIG))) {
            throw new LanguageModelException(
                    String.format(
                            Locale.ROOT,
                            "The base model of the adapter %s is not there: %s is no directory with"
                                    + " a %s; name the model's place as base_model_name_or_path in"
                                    + " %s",
                            adapter,
                            base.isEmpty() ? "(none)" : directory.toAbsolutePath().normalize(),
                            CONFIG,
                            AdapterConfig.FILE));
        }
        return directory;
    }

    /**
     * This model with an adapter, whatever base that names.
     *
     * @throws LanguageModelException as {@link LoraAdapter#read}, or if this is an adapter already
     */
    public ModelDirectory adapted(Path directory) {
        if (adapted.isPresent()) {
            throw new LanguageModelException(
                    path + " is an adapter, which cannot be the base of another one; merge it");
        }
        LoraAdapter adapter = LoraAdapter.read(directory, config);
        return new ModelDirectory(
                directory,
                adapter.over(config),
                stopTokens(directory, config, stopTokenIds),
                Optional.of(new Adapted(this, adapter)));
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

    /**
     * Writes the directory of an adapter atomically, in PEFT's layout.
     *
     * @param target must not exist
     * @param tensors factors by their names in the file, and the score head's tensors by the base
     *     model's names
     * @param companions the files beside the weights
     * @param stopTokenIds where generation stops
     * @throws LanguageModelException if something does not fit the base, or cannot be written
     */
    public static ModelDirectory createAdapter(
            Path target,
            AdapterConfig config,
            Collection<TensorData> tensors,
            CompanionFiles companions,
            List<Integer> stopTokenIds) {
        List<TensorData> named =
                tensors.stream()
                        .map(
                                t ->
                                        new TensorData(
                                                LoraAdapter.fileName(t.name()),
                                                t.shape(),
                                                t.values()))
                        .toList();
        AtomicDirectory.create(
                target,
                directory -> {
                    config.write(directory);
                    companions.writeTo(directory);
                    writeStops(directory, stopTokenIds);
                    Path weights = directory.resolve(LoraAdapter.FILE);
                    SafetensorsWriter.write(weights, named, ElementType.F32);
                });
        return withoutWeights(target);
    }

    public Path path() {
        return path;
    }

    /** The adapter whose directory this is. */
    public Optional<LoraAdapter> adapter() {
        return adapted.map(Adapted::adapter);
    }

    /** The model that the adapter changes; this one if there is no adapter. */
    public ModelDirectory base() {
        return adapted.map(Adapted::base).orElse(this);
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
        return companion(TOKENIZER);
    }

    /** A file beside the weights; of an adapter that lacks it, the one of its base. */
    public Optional<Path> companion(String name) {
        return Optional.of(path.resolve(name))
                .filter(Files::isRegularFile)
                .or(() -> adapted.flatMap(a -> a.base().companion(name)));
    }

    /** The files beside the weights that a model made from this one keeps. */
    public CompanionFiles companions() {
        CompanionFiles own = CompanionFiles.of(path);
        return adapted.map(a -> a.base().companions().replacedBy(own)).orElse(own);
    }

    /**
     * Writes configuration and companions, for weights of another format to go beside.
     *
     * @param target an existing directory
     */
    public void copyWithoutWeights(Path target) throws IOException {
        if (adapted.isPresent()) {
            config.write(target.resolve(CONFIG), ElementType.F32);
        } else {
            // The bytes alone: a checkpoint may be for reading only, its copy not.
            Files.write(target.resolve(CONFIG), Files.readAllBytes(path.resolve(CONFIG)));
        }
        companions().writeTo(target);
    }

    /** SHA-256 over all files, see {@link ContentHash}. */
    public String contentHash() {
        return ContentHash.of(path);
    }

    /**
     * SHA-256 over {@code config.json} and the weight files: what an adapter depends on. Files that
     * this process has hashed before, and that are the same by size, time of change and identity,
     * are not read again.
     */
    public String weightsHash() {
        return KnownHashes.WEIGHTS.of(
                path,
                name ->
                        name.equals(CONFIG)
                                || name.equals(INDEX)
                                || (name.endsWith(".safetensors") && !name.contains("/")));
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
        if (adapted.isPresent()) {
            return new AdaptedTensors(adapted.get().base().openWeights(), adapted.get().adapter());
        }
        if (Files.isRegularFile(path.resolve(INDEX))) {
            return ShardedTensors.open(path.resolve(INDEX));
        }
        if (Files.isRegularFile(path.resolve(WEIGHTS))) {
            return SafetensorsFile.open(path.resolve(WEIGHTS));
        }
        throw new LanguageModelException(
                path + " has neither " + WEIGHTS + " nor " + INDEX + otherWeights());
    }

    private String otherWeights() {
        if (Files.isRegularFile(path.resolve("pytorch_model.bin"))) {
            return "; pytorch_model.bin is not read, convert it to safetensors";
        }
        if (Files.isRegularFile(path.resolve("model.onnx.data"))) {
            return "; it was exported for ONNX Runtime: engine onnx plays and judges with its"
                    + " model.onnx and model.onnx.data. Here the model is wanted that it was"
                    + " exported from";
        }
        if (Files.isRegularFile(path.resolve("model.gguf"))) {
            return "; it was exported for llama.cpp: engine openai asks a server that serves its"
                    + " model.gguf. Here the model is wanted that it was exported from";
        }
        return "";
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

    private static List<Integer> stopTokens(
            Path directory, ModelConfig config, List<Integer> otherwise) {
        Path file = directory.resolve(GENERATION);
        if (!Files.isRegularFile(file)) {
            return otherwise;
        }
        JsonNode json = Json.readObject(file);
        List<Integer> ids = ModelConfigReader.tokenIds(file, json, "eos_token_id");
        for (int id : ids) {
            if (id < 0 || id >= config.vocabSize()) {
                throw new LanguageModelException(
                        String.format(
                                Locale.ROOT,
                                "%s: eos_token_id %d lies outside of the vocabulary of %d; it"
                                        + " belongs to another model",
                                file,
                                id,
                                config.vocabSize()));
            }
        }
        return ids.isEmpty() ? otherwise : ids;
    }

    /** {@link #stopTokenIds} with a token first among them, which makes it the end of turn. */
    public List<Integer> stopsFirstAt(int id) {
        List<Integer> ids = new ArrayList<>(List.of(id));
        stopTokenIds.stream().filter(other -> other != id).forEach(ids::add);
        return ids;
    }

    /**
     * Puts a token first among those at which generation stops, which makes it the end of turn.
     *
     * @throws LanguageModelException if the directory's files cannot be read or written
     */
    public static void stopFirstAt(Path directory, int id) {
        ModelDirectory model = withoutWeights(directory);
        List<Integer> ids = model.stopsFirstAt(id);
        if (!ids.equals(model.stopTokenIds())) {
            writeStops(directory, ids);
        }
    }

    private static void writeStops(Path directory, List<Integer> ids) {
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
