package io.agentprm.engine.openai;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Sends one request, once. */
@FunctionalInterface
interface Wire {
    /**
     * A complete answer of a server.
     *
     * @param status code of HTTP
     * @param contentType type of the body; empty where not said
     * @param retryAfter what the server says about when to come again, as it stands
     */
    record Answer(int status, String contentType, Optional<String> retryAfter, byte[] body) {}

    /**
     * Posts JSON.
     *
     * @param timeout how long it may take, the body of the answer included
     * @throws IOException if no complete answer came
     */
    Answer post(URI address, byte[] json, Duration timeout)
            throws IOException, InterruptedException;
}
