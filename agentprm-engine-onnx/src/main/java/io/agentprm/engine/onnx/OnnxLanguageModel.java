package io.agentprm.engine.onnx;

import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.decode.ChannelPlan;
import io.agentprm.lm.decode.ConversationalModel;
import io.agentprm.lm.decode.Conversations;
import io.agentprm.lm.decode.ModelFiles;
import io.agentprm.lm.decode.NativeGate;
import io.agentprm.lm.decode.PackedRows;
import java.util.ArrayList;
import java.util.List;

/** A frozen model on ONNX Runtime. */
final class OnnxLanguageModel extends ConversationalModel {
    private final ModelConfig config;
    private final Network network;
    private final String device;
    private final KeyValueMemory memory;
    private final Prompts prompts;

    OnnxLanguageModel(
            ModelConfig config,
            ModelFiles files,
            Network network,
            String device,
            OnnxConfig settings,
            NativeGate gate) {
        this(
                config,
                files,
                network,
                device,
                settings,
                gate,
                new KeyValueMemory(config, network.moves()));
    }

    private OnnxLanguageModel(
            ModelConfig config,
            ModelFiles files,
            Network network,
            String device,
            OnnxConfig settings,
            NativeGate gate,
            KeyValueMemory memory) {
        super(
                config,
                files,
                new Limits(
                        settings.cacheMegabytes() << 20,
                        settings.batchTokens(),
                        settings.decodeRows()),
                memory,
                gate);
        this.config = config;
        this.network = network;
        this.device = device;
        this.memory = memory;
        this.prompts = new Prompts(network, memory, settings.batchTokens());
    }

    @Override
    protected String engine() {
        return OnnxEngineProvider.NAME;
    }

    @Override
    protected String device() {
        return device;
    }

    @Override
    protected float[] forward(PackedRows rows, ChannelPlan plan) {
        return new WholeRows(rows).channels(network, config, plan);
    }

    @Override
    protected List<List<Generation>> generate(
            List<GenerationRequest> requests, List<Conversations.Entry> caches) {
        List<List<Generation>> results = new ArrayList<>();
        countTokens(
                new Continuations(
                                network,
                                conversations(),
                                memory,
                                prompts,
                                stops(),
                                config.contextLength())
                        .run(requests, caches, results));
        return results;
    }

    @Override
    protected List<double[]> score(
            List<ContinuationRequest> requests, List<Conversations.Entry> caches) {
        List<double[]> results = new ArrayList<>();
        countTokens(
                new Scores(network, conversations(), memory, prompts)
                        .run(requests, caches, results));
        return results;
    }

    @Override
    protected void free() {
        // The network's sessions allocate the memory, so that they must outlive it.
        try (network) {
            memory.close();
        }
    }
}
