package io.agentprm.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run whose demonstrations come from a server that does not always do well. */
class ExpertOnServerTest {
    private static final String[] ACTIONS = {"left", "right", "open"};
    private static final String[] TOO_LATE = {"--set", "demonstrations.expert.server.attempts=1"};

    @TempDir private Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Map<String, Integer> asked = new ConcurrentHashMap<>();
    private volatile int faults;
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/v1/chat/completions", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    /** The first attempts of every request fail, each in another way. */
    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body =
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            int before = asked.merge(body, 1, Integer::sum) - 1;
            if (before < faults) {
                fail(exchange, before % 4);
                return;
            }
            long seed = Long.parseLong(body.replaceFirst("(?s).*\"seed\":([0-9]+).*", "$1"));
            String reply = ACTIONS[(int) (seed % ACTIONS.length)];
            send(exchange, "{\"choices\": [{\"message\": {\"content\": \"" + reply + "\"}}]}", 0);
        }
    }

    private void fail(HttpExchange exchange, int how) throws IOException {
        switch (how) {
            case 0 -> exchange.sendResponseHeaders(503, -1);
            case 1 -> exchange.sendResponseHeaders(429, -1);
            case 2 -> send(exchange, "{\"choices\": [", 1000);
            default -> awaitEnd();
        }
    }

    /** Promises more than it sends, if asked to. */
    private static void send(HttpExchange exchange, String text, int more) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length + more);
        exchange.getResponseBody().write(body);
    }

    private void awaitEnd() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String run(Path run, String... more) {
        List<String> all = new ArrayList<>(List.of("--set", "demonstrations.tasks=5"));
        all.addAll(
                List.of(
                        "--set",
                        "demonstrations.expert={type: openai-policy, server: {url: 'http://127.0.0.1:"
                                + server.getAddress().getPort()
                                + "', timeout: 500ms, attempts: 50, first-wait: 0s}, reply: plain}"));
        all.addAll(List.of("--set", "loop.iterations=0", "--set", "evaluation.tasks=2"));
        all.addAll(Arrays.asList(more));
        return TinyRun.run(run, all.toArray(String[]::new));
    }

    private static Map<String, Integer> demonstrations(Path run) throws IOException {
        return TinyRun.contents(run.resolve("demonstrations"));
    }

    @Test
    void faultsThatPassLeaveNoTraceInTheEpisodes() throws IOException {
        Path well = directory.resolve("well");
        run(well);
        int requests = asked.size();
        asked.clear();
        faults = 4;
        Path ill = directory.resolve("ill");
        run(ill);
        assertEquals(demonstrations(well), demonstrations(ill));
        assertEquals(requests, asked.size());
        asked.forEach((body, times) -> assertTrue(times > 4, "tried " + times + " times: " + body));
    }

    @Test
    void aRunEndsWithItsServerAndGoesOnWhenItIsBack() throws IOException {
        Path undisturbed = directory.resolve("undisturbed");
        run(undisturbed);
        Path run = directory.resolve("run");
        asked.clear();
        faults = Integer.MAX_VALUE;
        AssertionError error = assertThrows(AssertionError.class, () -> run(run, TOO_LATE));
        assertTrue(
                error.getMessage().contains("status 503; gave up after 1 attempts"),
                () -> error.getMessage());
        assertFalse(Files.exists(run.resolve("policy-0")));
        faults = 0;
        run(run, TOO_LATE);
        assertEquals(demonstrations(undisturbed), demonstrations(run));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--dry-run"})
    void whatTheServerCannotDoIsRefusedBeforeAnyStage(String option) throws IOException {
        Path run = directory.resolve("run");
        String[] seeds = {
            "--set", "demonstrations.expert.server.dialect=openai",
            "--set", "demonstrations.expert.server.model=m"
        };
        String[] engine = {
            "--set", "engine={type: openai, server: {url: 'http://h', dialect: openai, model: m}}"
        };
        assertRefused(run, seeds, option, "demonstrations.expert (openai-policy): samples: seeded");
        assertRefused(run, engine, option, "the engine openai needs token ids");
        assertEquals(Map.of(), asked, "nothing was asked");
    }

    private void assertRefused(Path run, String[] settings, String option, String message)
            throws IOException {
        List<String> all = new ArrayList<>(List.of(settings));
        if (!option.isEmpty()) {
            all.add(option);
        }
        AssertionError error =
                assertThrows(AssertionError.class, () -> run(run, all.toArray(String[]::new)));
        assertTrue(error.getMessage().contains(message), error::getMessage);
        assertEquals(new TreeSet<>(), stages(run));
    }

    private static TreeSet<String> stages(Path run) throws IOException {
        TreeSet<String> found = new TreeSet<>();
        if (Files.exists(run)) {
            try (Stream<Path> files = Files.list(run)) {
                files.filter(Files::isDirectory)
                        .forEach(f -> found.add(f.getFileName().toString()));
            }
        }
        return found;
    }
}
