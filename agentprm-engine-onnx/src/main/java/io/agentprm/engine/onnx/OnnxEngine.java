package io.agentprm.engine.onnx;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.lm.checkpoint.LoraAdapter;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.Tensors;
import io.agentprm.lm.decode.ModelFiles;
import io.agentprm.lm.decode.NativeGate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * ONNX Runtime. Runs models of the Llama family from Hugging Face directories, whose weights become
 * an ONNX graph on loading, and from directories that {@link OnnxExport} has written. Trains
 * nothing and downloads nothing.
 */
public final class OnnxEngine implements InferenceEngine {
    private static final NativeGate GATE = new NativeGate();

    private final OnnxConfig settings;
    private final OnnxRuntime runtime;

    OnnxEngine(OnnxConfig settings, OnnxRuntime runtime) {
        this.settings = settings;
        this.runtime = runtime;
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
        boolean exported =
                adapter.isEmpty() && Files.isRegularFile(directory.resolve(OnnxModel.FILE));
        ModelDirectory model =
                exported
                        ? ModelDirectory.withoutWeights(directory)
                        : ModelDirectory.open(directory);
        ModelFiles files = ModelFiles.read(model);
        Network network =
                GATE.pass(
                        () ->
                                exported
                                        ? network(
                                                runtime.session(directory.resolve(OnnxModel.FILE)),
                                                model)
                                        : network(model, adapter));
        return new OnnxLanguageModel(
                model.config(), files, network, runtime.device(), settings, GATE);
    }

    /** A network of a checkpoint. */
    Network network(ModelDirectory model, Optional<Path> adapter) {
        Optional<LoraAdapter> factors = adapter.map(path -> LoraAdapter.read(path, model.config()));
        try (Tensors tensors = model.openWeights()) {
            OnnxModel graph = OnnxModel.of(model, tensors, factors, settings.precision());
            return network(graph.load(runtime), model);
        }
    }

    private Network network(Session session, ModelDirectory model) {
        return new Network(session, runtime.moves(session), model.config());
    }

    /** Models are closed one by one; ONNX Runtime stays loaded until the process ends. */
    @Override
    public void close() {}
}
