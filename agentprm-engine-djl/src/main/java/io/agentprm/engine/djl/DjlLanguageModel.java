package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.jni.JniUtils;
import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.lm.decode.ChannelPlan;
import io.agentprm.lm.decode.ConversationalModel;
import io.agentprm.lm.decode.Conversations;
import io.agentprm.lm.decode.ModelFiles;
import io.agentprm.lm.decode.NativeGate;
import io.agentprm.lm.decode.PackedRows;
import java.util.List;

/** A frozen model on PyTorch. */
class DjlLanguageModel extends ConversationalModel {
    private final Decoder decoder;
    private final DjlConfig settings;
    private final NativeGate gate;
    private final DjlCacheMemory memory;
    private final Prompts prompts;

    DjlLanguageModel(Decoder decoder, ModelFiles files, DjlConfig settings, NativeGate gate) {
        this(decoder, files, settings, gate, new DjlCacheMemory(decoder));
    }

    private DjlLanguageModel(
            Decoder decoder,
            ModelFiles files,
            DjlConfig settings,
            NativeGate gate,
            DjlCacheMemory memory) {
        super(
                decoder.config(),
                files,
                new Limits(
                        settings.cacheMegabytes() << 20,
                        settings.batchTokens(),
                        settings.decodeRows()),
                memory,
                gate);
        this.decoder = decoder;
        this.settings = settings;
        this.gate = gate;
        this.memory = memory;
        this.prompts = new Prompts(decoder, conversations(), memory, settings.batchTokens());
    }

    Decoder decoder() {
        return decoder;
    }

    @Override
    protected void prepareThread() {
        JniUtils.setGraphExecutorOptimize(false);
    }

    /** A frozen copy of the weights as they are. */
    final LanguageModel frozenCopy() {
        return run(() -> new DjlLanguageModel(decoder.copy(), files(), settings, gate));
    }

    @Override
    protected String engine() {
        return DjlEngineProvider.NAME;
    }

    @Override
    protected String device() {
        return DjlEngine.name(decoder.manager().getDevice());
    }

    @Override
    protected float[] forward(PackedRows packed, ChannelPlan plan) {
        try (NDManager manager = decoder.manager().newSubManager();
                NDArray vector = decoder.outputs(manager, packed, plan)) {
            return vector.toFloatArray();
        }
    }

    @Override
    protected List<List<Generation>> generate(
            List<GenerationRequest> requests, List<Conversations.Entry> caches) {
        return new Generator(decoder, conversations(), memory, prompts, stops())
                .run(requests, caches, this::countTokens);
    }

    @Override
    protected List<double[]> score(
            List<ContinuationRequest> requests, List<Conversations.Entry> caches) {
        return new ContinuationScorer(decoder, conversations(), memory, prompts)
                .run(requests, caches, this::countTokens);
    }

    @Override
    protected void free() {
        decoder.close();
    }
}
