package io.agentprm.engine.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The faults of a network, on real connections. */
class HttpWireTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final HttpWire wire =
            new HttpWire(ApiKey.of(Optional.of("K"), name -> Optional.of("secret")));
    private Optional<StubServer> server = Optional.empty();

    @AfterEach
    void close() {
        server.ifPresent(StubServer::close);
    }

    private Wire.Answer post(StubServer stub, Duration timeout)
            throws IOException, InterruptedException {
        server = Optional.of(stub);
        return wire.post(
                URI.create(stub.url() + "/v1/x"),
                "{\"a\": 1}".getBytes(StandardCharsets.UTF_8),
                timeout);
    }

    @Test
    void aRequestCarriesItsBodyAndTheKey() throws Exception {
        StubServer stub = new StubServer(r -> StubServer.json("{'b': 2}"));
        Wire.Answer answer = post(stub, LONG);
        assertEquals(200, answer.status());
        assertEquals("application/json", answer.contentType());
        assertEquals("{\"b\": 2}", new String(answer.body(), StandardCharsets.UTF_8));
        StubServer.Received received = stub.received().get(0);
        assertEquals("/v1/x", received.path());
        assertEquals(1, received.body().path("a").asInt());
        assertEquals(Optional.of("Bearer secret"), received.authorization());
    }

    @Test
    void statusAndRetryAfterArrive() throws Exception {
        StubServer stub =
                new StubServer(
                        r ->
                                exchange -> {
                                    exchange.getResponseHeaders().set("Retry-After", "3");
                                    exchange.sendResponseHeaders(429, -1);
                                });
        Wire.Answer answer = post(stub, LONG);
        assertEquals(429, answer.status());
        assertEquals(Optional.of("3"), answer.retryAfter());
    }

    @Test
    void anAnswerThatBreaksOffIsNoAnswer() {
        assertThrows(IOException.class, () -> post(new StubServer(r -> StubServer.reset()), LONG));
    }

    /** The body never ends, so nothing but the limit can end the request. */
    @Test
    void theLimitCountsUntilTheBodysEnd() {
        StubServer[] stub = new StubServer[1];
        stub[0] = new StubServer(r -> stub[0].slowBody());
        assertThrows(HttpTimeoutException.class, () -> post(stub[0], Duration.ofMillis(300)));
    }

    @Test
    void nobodyThereIsNoAnswer() {
        StubServer stub = new StubServer(r -> StubServer.json("{}"));
        stub.close();
        assertThrows(IOException.class, () -> post(stub, LONG));
    }
}
