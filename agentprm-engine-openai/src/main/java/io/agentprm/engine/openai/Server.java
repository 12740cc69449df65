package io.agentprm.engine.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** A server, to which many requests go at a time. Thread-safe. */
final class Server implements AutoCloseable {
    /**
     * A request.
     *
     * @param random stream of this request, for its waits
     */
    record Call(String path, ObjectNode body, RandomSource random) {}

    private final ServerConfig config;
    private final Caller caller;
    private final ExecutorService threads;

    Server(ServerConfig config, Caller caller) {
        this.config = config;
        this.caller = caller;
        AtomicInteger number = new AtomicInteger();
        this.threads =
                Executors.newFixedThreadPool(
                        config.concurrency(),
                        task -> {
                            Thread thread =
                                    new Thread(task, "agentprm-openai-" + number.incrementAndGet());
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /**
     * A server of the network.
     *
     * @throws ServerException if the variable of the API key is not set
     */
    static Server open(ServerConfig config, RunContext context) {
        ApiKey key =
                ApiKey.of(
                        config.apiKeyVariable(), name -> Optional.ofNullable(System.getenv(name)));
        return new Server(
                config,
                new Caller(config, new HttpWire(key), key, context.clock(), Sleeper.system()));
    }

    ServerConfig config() {
        return config;
    }

    ObjectNode body() {
        ObjectNode body = Answers.MAPPER.createObjectNode();
        config.model().ifPresent(name -> body.put("model", name));
        return body;
    }

    /**
     * Sends requests, some at a time.
     *
     * @return the answers in the order of the requests
     * @throws ServerException the first request's that failed; the others are given up
     */
    List<JsonNode> all(List<Call> calls) {
        if (threads.isShutdown()) {
            throw new ServerException("this model is closed; open it again");
        }
        List<Future<JsonNode>> futures = new ArrayList<>(calls.size());
        for (Call call : calls) {
            futures.add(threads.submit(() -> caller.post(call.path(), call.body(), call.random())));
        }
        try {
            List<JsonNode> answers = new ArrayList<>(calls.size());
            for (Future<JsonNode> future : futures) {
                answers.add(future.get());
            }
            return answers;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof ServerException known
                    ? known
                    : new ServerException("a request failed: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while waiting for a server", e);
        } finally {
            futures.forEach(future -> future.cancel(true));
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
