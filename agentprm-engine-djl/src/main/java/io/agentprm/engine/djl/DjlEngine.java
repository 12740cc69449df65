package io.agentprm.engine.djl;

import ai.djl.Device;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.lm.checkpoint.LoraAdapter;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.decode.ModelFiles;
import io.agentprm.lm.decode.NativeGate;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * PyTorch through DJL. Trains and runs models of the Llama family from Hugging Face directories;
 * nothing is downloaded.
 */
public final class DjlEngine implements InferenceEngine {
    private static final NativeGate GATE = new NativeGate();

    private final DjlConfig settings;
    private final Device device;

    private DjlEngine(DjlConfig settings, Device device) {
        this.settings = settings;
        this.device = device;
    }

    /**
     * Opens the engine, which loads libtorch.
     *
     * @throws DjlEngineException if the native library or the device is missing; the message says
     *     what to add
     */
    public static DjlEngine open(DjlConfig settings) {
        int threads =
                settings.threads() > 0
                        ? settings.threads()
                        : Runtime.getRuntime().availableProcessors();
        Device device = TorchRuntime.start(settings.device(), threads);
        GATE.install();
        return new DjlEngine(settings, device);
    }

    @Override
    public String device() {
        return name(device);
    }

    /** The name of a device in reports. */
    static String name(Device device) {
        return device.isGpu() ? "cuda:" + device.getDeviceId() : "cpu";
    }

    @Override
    public LanguageModel load(Path directory) {
        return load(directory, Optional.empty());
    }

    /**
     * Loads a model for inference with a LoRA adapter in PEFT's layout merged into its weights.
     *
     * @throws io.agentprm.lm.LanguageModelException if a file is missing, wrong or not supported
     */
    public LanguageModel loadWithAdapter(Path directory, Path adapter) {
        return load(directory, Optional.of(adapter));
    }

    private LanguageModel load(Path directory, Optional<Path> adapter) {
        ModelDirectory model = ModelDirectory.open(directory);
        return new DjlLanguageModel(
                decoder(model, adapter), ModelFiles.read(model), settings, GATE);
    }

    @Override
    public TrainableModel loadTrainable(Path directory, OptimizerOptions options) {
        ModelDirectory model = ModelDirectory.open(directory);
        return new DjlTrainableModel(
                decoder(model, Optional.empty()), ModelFiles.read(model), settings, GATE, options);
    }

    /** Runs native work through the gate. */
    <T> T pass(Supplier<T> work) {
        return GATE.pass(work);
    }

    /** The bare network of a model directory, which needs no tokenizer. */
    Decoder decoder(ModelDirectory model, Optional<Path> adapter) {
        return GATE.pass(
                () ->
                        Decoder.load(
                                model,
                                adapter.map(a -> LoraAdapter.read(a, model.config())),
                                settings.precision(),
                                device));
    }

    @Override
    public boolean trains() {
        return true;
    }

    /** Models are closed one by one; libtorch stays loaded until the process ends. */
    @Override
    public void close() {}
}
