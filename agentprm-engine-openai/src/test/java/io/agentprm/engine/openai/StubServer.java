package io.agentprm.engine.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A server in this process, which answers as it is told and remembers what it was asked. */
final class StubServer implements AutoCloseable {
    /** What arrived. */
    record Received(String path, JsonNode body, Optional<String> authorization) {}

    /** What is answered. */
    interface Reply {
        void to(HttpExchange exchange) throws IOException;
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Received> received = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch closed = new CountDownLatch(1);

    StubServer(Function<Received, Reply> answers) {
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> handle(exchange, answers));
        server.start();
    }

    private void handle(HttpExchange exchange, Function<Received, Reply> answers)
            throws IOException {
        try (exchange) {
            Received arrived =
                    new Received(
                            exchange.getRequestURI().getPath(),
                            Answers.MAPPER.readTree(exchange.getRequestBody().readAllBytes()),
                            Optional.ofNullable(
                                    exchange.getRequestHeaders().getFirst("Authorization")));
            received.add(arrived);
            answers.apply(arrived).to(exchange);
        }
    }

    static Reply json(String body) {
        return json(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    static Reply json(JsonNode body) {
        return json(body.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static Reply json(byte[] body) {
        return exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        };
    }

    /** Promises more than it sends, and hangs up. */
    static Reply reset() {
        return exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write('{');
        };
    }

    /** Sends a little, and the rest never. */
    Reply slowBody() {
        return exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            out.write('{');
            out.flush();
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Received> received() {
        return List.copyOf(received);
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
