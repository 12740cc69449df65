package io.agentprm.engine.onnx;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.Tensors;
import io.agentprm.lm.decode.ModelFiles;
import io.agentprm.lm.decode.NativeGate;
import java.nio.file.Files;
import java.nio.file.Path;

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
        boolean exported = Files.isRegularFile(directory.resolve(OnnxModel.FILE));
        ModelDirectory model =
                exported
                        ? ModelDirectory.withoutWeights(directory)
                        : ModelDirectory.open(directory);
        ModelFiles files = ModelFiles.read(model);
        Network network = GATE.pass(() -> network(model, exported));
        return new OnnxLanguageModel(
                model.config(), files, network, runtime.device(), settings, GATE);
    }

    private Network network(ModelDirectory model, boolean exported) {
        Session session =
                exported ? runtime.session(model.path().resolve(OnnxModel.FILE)) : fresh(model);
        return new Network(session, runtime.moves(session), model.config());
    }

    private Session fresh(ModelDirectory model) {
        try (Tensors tensors = model.openWeights()) {
            return OnnxModel.of(model, tensors, settings.precision()).load(runtime);
        }
    }

    /** Models are closed one by one; ONNX Runtime stays loaded until the process ends. */
    @Override
    public void close() {}
}
