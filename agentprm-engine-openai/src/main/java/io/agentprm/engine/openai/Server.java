package io.agentprm.engine.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
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
    private final Semaphore places;
    private final ExecutorService threads;

    private Server(ServerConfig config, Caller caller, Semaphore places) {
        this.config = config;
        this.caller = caller;
        this.places = places;
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
     * @param limits shared with others who ask it
     * @throws ServerException if the variable of the API key is not set
     */
    static Server open(ServerConfig config, Limits limits, RunContext context) {
        ApiKey key =
                ApiKey.of(
                        config.apiKeyVariable(), name -> Optional.ofNullable(System.getenv(name)));
        Clock clock = context.clock();
        Limits.Limit limit = limits.of(config, clock);
        Wire wire = new HttpWire(key);
        return new Server(
                config,
                new Caller(config, wire, key, limit.pace(), clock, Sleeper.system()),
                limit.places());
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
            futures.add(threads.submit(() -> answer(call)));
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

    private JsonNode answer(Call call) throws InterruptedException {
        places.acquire();
        try {
            return caller.post(call.path(), call.body(), call.random());
        } finally {
            places.release();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
