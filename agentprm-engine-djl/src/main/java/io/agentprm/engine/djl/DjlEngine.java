package io.agentprm.engine.djl;

import ai.djl.Device;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TrainableModel;
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
    private final Bases bases = new Bases();

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

    @Override
    public Optional<String> library() {
        return Optional.of("PyTorch " + TorchRuntime.version());
    }

    /** The name of a device in reports. */
    static String name(Device device) {
        return device.isGpu() ? "cuda:" + device.getDeviceId() : "cpu";
    }

    /**
     * {@inheritDoc}
     *
     * <p>Adapters over one base share its weights, which are in memory once.
     */
    @Override
    public LanguageModel load(Path directory) {
        ModelDirectory model = ModelDirectory.open(directory);
        return frozen(decoder(model), model);
    }

    /**
     * Loads a model for inference with a LoRA adapter in PEFT's layout merged into its weights.
     *
     * @throws io.agentprm.lm.LanguageModelException if a file is missing, wrong or not supported
     */
    public LanguageModel loadWithAdapter(Path directory, Path adapter) {
        ModelDirectory model = ModelDirectory.open(directory).adapted(adapter);
        return frozen(merged(model), model);
    }

    private LanguageModel frozen(Decoder decoder, ModelDirectory model) {
        return new DjlLanguageModel(decoder, ModelFiles.read(model), settings, GATE);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Of an adapter's directory the adapter is trained, and its base is frozen.
     */
    @Override
    public TrainableModel loadTrainable(Path directory, OptimizerOptions options) {
        ModelDirectory model = ModelDirectory.open(directory);
        if (!adaptsWholeLayers(model)) {
            throw new DjlEngineException(
                    directory
                            + " adapts other linear maps in some layers than in others; such an"
                            + " adapter can be used, not trained. Train one that adapts the same"
                            + " maps in each layer that it changes, or merge it into its base");
        }
        return new DjlTrainableModel(
                trained(model), ModelFiles.read(model), model, settings, GATE, options);
    }

    private static boolean adaptsWholeLayers(ModelDirectory model) {
        return model.adapter().stream().allMatch(a -> a.wholeLayers(model.base().config()));
    }

    /** Runs native work through the gate. */
    <T> T pass(Supplier<T> work) {
        return GATE.pass(work);
    }

    /** The bare network of a model directory, which needs no tokenizer. */
    Decoder decoder(ModelDirectory model) {
        if (model.adapter().isEmpty() || !adaptsWholeLayers(model)) {
            return merged(model);
        }
        return bounded(
                GATE.pass(
                        () ->
                                Decoder.over(
                                        bases.hold(model.base(), device, settings.weights()),
                                        model,
                                        settings.precision(),
                                        device,
                                        true)));
    }

    /** The same with weights of its own. */
    Decoder merged(ModelDirectory model) {
        return merged(model, settings.weights());
    }

    private Decoder merged(ModelDirectory model, Precision held) {
        return bounded(GATE.pass(() -> Decoder.load(model, settings.precision(), held, device)));
    }

    /** Weights that are trained need the digits of float32. */
    private Decoder trained(ModelDirectory model) {
        return model.adapter().isPresent() ? decoder(model) : merged(model, Precision.F32);
    }

    private Decoder bounded(Decoder decoder) {
        decoder.boundLogits(settings.logitMegabytes() << 20);
        return decoder;
    }

    @Override
    public boolean trains() {
        return true;
    }

    /** Models are closed one by one; libtorch stays loaded until the process ends. */
    @Override
    public void close() {}
}
