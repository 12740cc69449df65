package io.agentprm.bench.model;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.run.RunContext;
import io.agentprm.bench.measure.BenchmarkException;
import io.agentprm.bench.measure.CpuClock;
import io.agentprm.engine.openai.Dialect;
import io.agentprm.engine.openai.OpenAiEngineConfig;
import io.agentprm.engine.openai.OpenAiEngineProvider;
import io.agentprm.engine.openai.ServerConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.gguf.GgufExport;
import io.agentprm.lm.gguf.GgufPrecision;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * llama.cpp as anybody uses it from here: each model is exported beside its directory, served by a
 * process of its own, and asked through the engine {@code openai}.
 */
final class LlamaCppEngine implements InferenceEngine {
    private final Path program;
    private final GgufPrecision precision;
    private final int threads;
    private final int slots;
    private final List<String> options;
    private final List<LlamaServer> servers = new ArrayList<>();

    /**
     * @param threads of a matrix product
     * @param slots requests at the same time
     * @param options of the server; without any, it keeps keys and values in half precision
     * @throws BenchmarkException if no program is named
     */
    LlamaCppEngine(GgufPrecision precision, int threads, int slots, List<String> options) {
        this.program =
                LlamaServer.program()
                        .orElseThrow(
                                () ->
                                        new BenchmarkException(
                                                "llama.cpp is measured with its server: name the"
                                                        + " program llama-server in "
                                                        + LlamaServer.VARIABLE));
        this.precision = precision;
        this.threads = threads;
        this.slots = slots;
        this.options = List.copyOf(options);
    }

    @Override
    public String device() {
        return "cpu";
    }

    @Override
    public LanguageModel load(Path directory) {
        Path exported =
                directory.resolveSibling(directory.getFileName() + "." + precision + "." + slots);
        GgufExport.write(directory, exported, precision);
        LlamaServer server =
                LlamaServer.start(
                        program,
                        exported.resolve(GgufExport.FILE),
                        threads,
                        slots,
                        ModelDirectory.open(directory).config().contextLength(),
                        options);
        servers.add(server);
        return new OpenAiEngineProvider()
                .create(
                        new OpenAiEngineConfig(config(server), Optional.empty()),
                        RunContext.ofSeed(0))
                .load(exported);
    }

    private ServerConfig config(LlamaServer server) {
        ServerConfig usual = ServerConfig.of(server.url(), Dialect.LLAMA_CPP);
        return new ServerConfig(
                usual.url(),
                usual.dialect(),
                usual.model(),
                usual.apiKeyVariable(),
                slots,
                usual.requestsPerMinute(),
                usual.timeout(),
                usual.deadline(),
                usual.attempts(),
                usual.firstWait());
    }

    /** Counts the servers too. */
    CpuClock clock() {
        CpuClock clock = new CpuClock();
        for (LlamaServer server : servers) {
            clock = clock.and(server.handle());
        }
        return clock;
    }

    @Override
    public void close() {
        servers.forEach(LlamaServer::close);
    }
}
