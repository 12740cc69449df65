package io.agentprm.engine.onnx;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.lm.checkpoint.LoraAdapter;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.Tensors;
import io.agentprm.lm.decode.ModelFiles;
import io.agentprm.lm.decode.NativeGate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * ONNX Runtime. Runs models of the Llama family from Hugging Face directories, whose weights become
 * an ONNX graph on loading, and from directories that {@link OnnxExport} has written. Trains
 * nothing and downloads nothing.
 */
public final class OnnxEngine implements InferenceEngine {
    private static final NativeGate GATE = new NativeGate();

    private final OnnxConfig settings;
    private final OnnxRuntime runtime;
    private final Orders orders;

    OnnxEngine(OnnxConfig settings, OnnxRuntime runtime) {
        this(settings, runtime, Orders.CACHED_BYTES);
    }

    /**
     * @param cachedBytes weights up to that size are thought to stay in the processor's cache
     */
    OnnxEngine(OnnxConfig settings, OnnxRuntime runtime, long cachedBytes) {
        this.settings = settings;
        this.runtime = runtime;
        this.orders = new Orders(cachedBytes, settings.packedMegabytes() << 20);
    }

    /**
     * Opens the engine, which loads ONNX Runtime.
     *
     * @throws OnnxEngineException if the native library or the device is missing; the message says
     *     what was expected and found
     */
    public static OnnxEngine open(OnnxConfig settings) {
        int threads =
                settings.threads() > 0
                        ? settings.threads()
                        : Runtime.getRuntime().availableProcessors();
        OnnxRuntime runtime = OnnxRuntime.start(settings.device(), threads);
        GATE.install();
        return new OnnxEngine(settings, runtime);
    }

    @Override
    public String device() {
        return runtime.device();
    }

    @Override
    public Optional<String> library() {
        return Optional.of("ONNX Runtime " + runtime.version());
    }

    @Override
    public LanguageModel load(Path directory) {
        return load(directory, Optional.empty());
    }

    /**
     * Loads a model with a LoRA adapter in PEFT's layout merged into its weights.
     *
     * @throws io.agentprm.lm.LanguageModelException if either directory cannot be used; an exported
     *     model has no weights to merge into
     */
    public LanguageModel loadWithAdapter(Path directory, Path adapter) {
        return load(directory, Optional.of(adapter));
    }

    private LanguageModel load(Path directory, Optional<Path> adapter) {
        // Others publish graphs of their own beside a checkpoint's weights.
        boolean exported =
                adapter.isEmpty()
                        && Files.isRegularFile(directory.resolve(Order.STATES_FIRST.file()))
                        && !ModelDirectory.hasWeights(directory);
        ModelDirectory model =
                exported
                        ? ModelDirectory.withoutWeights(directory)
                        : ModelDirectory.open(directory);
        ModelFiles files = ModelFiles.read(model);
        Network network = GATE.pass(() -> exported ? exported(model) : network(model, adapter));
        return new OnnxLanguageModel(
                model.config(), files, network, runtime.device(), settings, GATE);
    }

    /** A network of an exported model, which may be there in one order only. */
    Network exported(ModelDirectory model) {
        boolean both =
                Files.isRegularFile(model.path().resolve(Order.WEIGHTS_FIRST.file()))
                        && !runtime.onGpu();
        Set<Order> wanted = both ? orders.of(model.config()) : Orders.PACKED;
        wanted.forEach(order -> Seal.require(model.path(), order));
        return network(model.path(), wanted, model.config());
    }

    /** A network of a checkpoint. */
    Network network(ModelDirectory model, Optional<Path> adapter) {
        Optional<LoraAdapter> factors = adapter.map(path -> LoraAdapter.read(path, model.config()));
        Set<Order> wanted =
                settings.precision().wholeNumbers() || runtime.onGpu()
                        ? Orders.PACKED
                        : orders.of(model.config());
        Tensors base = model.openWeights();
        try (Tensors tensors = factors.map(f -> f.over(base)).orElse(base);
                PassingDirectory directory = PassingDirectory.create()) {
            directory.fill(
                    new OnnxModel(model.config(), tensors, settings.precision(), wanted)::write);
            return network(directory.path(), wanted, model.config());
        }
    }

    private Network network(Path directory, Set<Order> wanted, ModelConfig config) {
        Map<Order, Session> sessions = new EnumMap<>(Order.class);
        try {
            for (Order order : wanted) {
                sessions.put(order, runtime.session(directory.resolve(order.file())));
            }
        } catch (RuntimeException e) {
            sessions.values().forEach(Session::close);
            throw e;
        }
        Session any = sessions.values().iterator().next();
        return new Network(sessions, runtime.moves(any), config);
    }

    /** Objects of ONNX Runtime that this and its models hold. */
    long live() {
        return runtime.api().live();
    }

    /** Models are closed one by one; ONNX Runtime's code stays loaded until the process ends. */
    @Override
    public void close() {
        runtime.close();
    }
}
