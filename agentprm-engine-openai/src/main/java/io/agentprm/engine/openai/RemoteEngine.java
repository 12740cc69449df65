package io.agentprm.engine.openai;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.ModelInfo;
import io.agentprm.api.run.RunContext;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.tokenizer.Tokenizers;
import java.nio.file.Path;

/** Gives models of a server; which of its two depends on whether a model has a score head. */
final class RemoteEngine implements InferenceEngine {
    private final OpenAiEngineConfig config;
    private final Limits limits;
    private final RunContext context;

    /**
     * @param limits shared with other engines
     * @throws ServerException if a server cannot do what an engine needs
     */
    RemoteEngine(OpenAiEngineConfig config, Limits limits, RunContext context) {
        config.server()
                .dialect()
                .require(
                        Capability.TOKEN_IDS,
                        "the engine openai",
                        "use the policy openai-policy, which needs text only");
        config.rewardServer()
                .ifPresent(
                        server ->
                                server.dialect()
                                        .require(
                                                Capability.SCORES,
                                                "reward-server",
                                                "serve the reward model with one of these"));
        this.config = config;
        this.limits = limits;
        this.context = context;
    }

    @Override
    public String device() {
        return config.server().url();
    }

    @Override
    public LanguageModel load(Path directory) {
        ModelDirectory model = ModelDirectory.withoutWeights(directory);
        ServerConfig server =
                model.config().scoreHead()
                        ? config.rewardServer()
                                .orElseThrow(
                                        () ->
                                                new ServerException(
                                                        directory
                                                                + " is a reward model; say in"
                                                                + " reward-server where it is"
                                                                + " served"))
                        : config.server();
        return new RemoteModel(
                new ModelInfo(
                        directory.toAbsolutePath().normalize().getFileName().toString(),
                        "openai",
                        server.url(),
                        model.config().parameters(),
                        model.config().contextLength(),
                        model.config().scoreHead()),
                Tokenizers.open(model),
                model.config().vocabSize(),
                Server.open(server, limits, context));
    }

    /** Each model closes what it opened. */
    @Override
    public void close() {}
}
