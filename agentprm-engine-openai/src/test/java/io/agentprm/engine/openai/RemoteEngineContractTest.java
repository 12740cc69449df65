package io.agentprm.engine.openai;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.run.RunContext;
import io.agentprm.testkit.InferenceEngineContract;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The engine keeps the contract of engines. */
class RemoteEngineContractTest extends InferenceEngineContract {
    @TempDir Path models;

    private Optional<StubServer> server = Optional.empty();

    @Override
    protected InferenceEngine openEngine() {
        if (server.isEmpty()) {
            int vocabulary = TinyModel.vocabulary(modelDirectory());
            server = Optional.of(new StubServer(new StubVllm(vocabulary)::answer));
        }
        return new OpenAiEngineProvider()
                .create(
                        new OpenAiEngineConfig(
                                ServerConfig.of(server.get().url(), Dialect.VLLM),
                                Optional.empty()),
                        RunContext.ofSeed(1));
    }

    @Override
    protected Path modelDirectory() {
        return TinyModel.create(models, "contract");
    }

    @AfterEach
    void stop() {
        server.ifPresent(StubServer::close);
    }
}
