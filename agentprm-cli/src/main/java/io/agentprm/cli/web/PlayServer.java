package io.agentprm.cli.web;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.agentprm.cli.game.Playground;
import io.agentprm.core.RunException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the page on which people play: {@code GET /} shows it, {@code POST /act} acts and {@code
 * POST /task} takes another task; both lead back to the page. A browser is known by a cookie.
 */
public final class PlayServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PlayServer.class);

    /** Requests at a time; more wait. */
    private static final int THREADS = 16;

    private static final int SECRET_BYTES = 24;

    private final HttpServer server;
    private final ExecutorService threads;
    private final Visitors visitors;
    private final Guard guard;

    private PlayServer(HttpServer server, Visitors visitors, Guard guard) {
        this.server = server;
        this.threads = Executors.newFixedThreadPool(THREADS);
        this.visitors = visitors;
        this.guard = guard;
    }

    /**
     * Starts to serve.
     *
     * @param at address and port; port 0 for any that is free
     * @param room most visitors at a time
     * @throws RunException if it cannot listen there
     */
    public static PlayServer start(Playground playground, InetSocketAddress at, int room) {
        return start(
                at, new Visitors(playground, room, Clock.systemUTC(), PlayServer::unguessable));
    }

    static PlayServer start(InetSocketAddress at, Visitors visitors) {
        PlayServer started = new PlayServer(listening(at), visitors, new Guard(at.getHostString()));
        started.server.setExecutor(started.threads);
        started.server.createContext("/", started::handle);
        started.server.start();
        return started;
    }

    private static HttpServer listening(InetSocketAddress at) {
        try {
            return HttpServer.create(at, 0);
        } catch (BindException e) {
            throw new RunException(
                    "cannot listen on port "
                            + at.getPort()
                            + " of "
                            + at.getHostString()
                            + ": "
                            + e.getMessage()
                            + "; choose another one with --port, or 0 for any that is free",
                    e);
        } catch (IOException e) {
            throw new RunException("cannot listen on " + at + ": " + e.getMessage(), e);
        }
    }

    private static String unguessable() {
        byte[] bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Where a browser on this machine finds it. */
    public URI address() {
        String host = guard.ownName();
        boolean anywhere = server.getAddress().getAddress().isAnyLocalAddress();
        String name = anywhere ? "localhost" : host.contains(":") ? "[" + host + "]" : host;
        return URI.create("http://" + name + ":" + server.getAddress().getPort() + "/");
    }

    private void handle(HttpExchange exchange) {
        try (exchange) {
            Reply reply;
            try {
                reply = answer(exchange);
            } catch (RuntimeException e) {
                LOG.warn("{} {} failed", exchange.getRequestMethod(), exchange.getRequestURI(), e);
                reply = Reply.refused(500, "This went wrong; the log of agentprm says more.");
            }
            send(exchange, reply);
        } catch (IOException e) {
            LOG.debug("a browser went away", e);
        }
    }

    private Reply answer(HttpExchange exchange) throws IOException {
        String method = exchange.getRequestMethod();
        Optional<Reply> refusal = guard.refuse(method, exchange.getRequestHeaders());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        return switch (exchange.getRequestURI().getPath()) {
            case "/" -> method.equals("GET") ? page(exchange) : otherMethod("GET");
            case "/act", "/task" -> method.equals("POST") ? post(exchange) : otherMethod("POST");
            default -> Reply.refused(404, "There is no such page.");
        };
    }

    private static Reply otherMethod(String allowed) {
        return Reply.refused(405, "This page is asked for with " + allowed + ".")
                .with("Allow", allowed);
    }

    private Reply page(HttpExchange exchange) {
        Optional<Visitor> known = visitor(exchange);
        if (known.isPresent()) {
            return Reply.page(known.get().page());
        }
        Optional<String> key = visitors.welcome();
        return key.flatMap(visitors::with)
                .map(
                        visitor ->
                                Reply.page(visitor.page())
                                        .with(
                                                "Set-Cookie",
                                                cookie()
                                                        + key.orElseThrow()
                                                        + "; Path=/; HttpOnly; SameSite=Lax"))
                .orElseGet(
                        () ->
                                Reply.refused(
                                        503,
                                        "Nobody else can play now: all seats are taken. Close a"
                                                + " browser and wait half an hour, or start"
                                                + " agentprm with more --sessions."));
    }

    private Reply post(HttpExchange exchange) throws IOException {
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        if (type == null || !type.startsWith("application/x-www-form-urlencoded")) {
            return Reply.refused(415, "A form is expected.");
        }
        byte[] body = exchange.getRequestBody().readNBytes(Form.LIMIT + 1);
        if (body.length > Form.LIMIT) {
            return Reply.refused(413, "That is too long: " + Form.LIMIT + " bytes are read.");
        }
        Optional<Form> form = Form.parse(body);
        if (form.isEmpty()) {
            return Reply.refused(400, "This form cannot be read.");
        }
        Optional<Visitor> visitor = visitor(exchange);
        if (visitor.isEmpty()) {
            return Reply.seeThePage();
        }
        if (!visitor.get().sent(form.get())) {
            return Reply.refused(403, "This form was not made for you.");
        }
        if (exchange.getRequestURI().getPath().equals("/act")) {
            visitor.get().act(form.get());
        } else {
            visitor.get().take(form.get());
        }
        return Reply.seeThePage();
    }

    private Optional<Visitor> visitor(HttpExchange exchange) {
        return exchange.getRequestHeaders().getOrDefault("Cookie", List.of()).stream()
                .flatMap(header -> Arrays.stream(header.split("; *")))
                .filter(pair -> pair.startsWith(cookie()))
                .flatMap(pair -> visitors.with(pair.substring(cookie().length())).stream())
                .findFirst();
    }

    /** Browsers do not tell servers on other ports apart: the name does. */
    private String cookie() {
        return "agentprm-" + server.getAddress().getPort() + "=";
    }

    private static void send(HttpExchange exchange, Reply reply) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        reply.headers().forEach(headers::set);
        headers.set("Content-Type", "text/html; charset=utf-8");
        headers.set("Content-Security-Policy", Frame.policy());
        headers.set("X-Content-Type-Options", "nosniff");
        // Not no-referrer: with it, browsers send forms without their origin.
        headers.set("Referrer-Policy", "same-origin");
        headers.set("Cache-Control", "no-store");
        byte[] page = reply.page().getBytes(StandardCharsets.UTF_8);
        boolean withPage = page.length > 0 && !exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(reply.status(), withPage ? page.length : -1);
        if (withPage) {
            exchange.getResponseBody().write(page);
        }
    }

    /** Ends what is being played; unfinished episodes are dropped. */
    @Override
    public void close() {
        server.stop(1);
        threads.shutdown();
        try {
            if (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
                LOG.warn("a request is still going on");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        visitors.close();
    }
}
