package io.agentprm.engine.openai;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * What servers are asked at most. A run makes a policy for each of its workers, and loads many
 * models: whoever asks a server with the same settings through the same provider has a part of one
 * limit. Thread-safe.
 */
final class Limits {
    /**
     * That of one server.
     *
     * @param places for requests at a time
     * @param pace of requests
     */
    record Limit(Semaphore places, Pace pace) {}

    private final Map<ServerConfig, Limit> limits = new ConcurrentHashMap<>();

    Limit of(ServerConfig server, Clock clock) {
        return limits.computeIfAbsent(
                server,
                asked ->
                        new Limit(
                                // In turn, so that no worker starves.
                                new Semaphore(asked.concurrency(), true),
                                new Pace(asked.requestsPerMinute(), clock)));
    }
}
