package io.agentprm.cli.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Chromium of this machine without a window, told what to do by its DevTools protocol. Has one
 * tab.
 */
final class Chromium implements AutoCloseable {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Process process;
    private final WebSocket socket;
    private final BlockingQueue<JsonNode> messages;
    private String tab = "";
    private int sent;
    private boolean loaded;

    private Chromium(Process process, WebSocket socket, BlockingQueue<JsonNode> messages) {
        this.process = process;
        this.socket = socket;
        this.messages = messages;
    }

    /** Where it is installed; empty if it is not. */
    static Optional<Path> installed() {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts it with a profile of its own. */
    static Chromium start(Path program, Path profile) throws Exception {
        ProcessBuilder command =
                new ProcessBuilder(
                                program.toString(),
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--no-first-run",
                                "--disable-background-networking",
                                "--disable-dev-shm-usage",
                                "--remote-debugging-port=0",
                                "--window-size=1000,900",
                                "--user-data-dir=" + profile,
                                "about:blank")
                        .redirectErrorStream(true);
        // Else it leaves a directory behind when it is killed.
        command.environment().put("TMPDIR", Files.createDirectories(profile).toString());
        Process process = command.start();
        try {
            BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
            WebSocket socket =
                    HttpClient.newHttpClient()
                            .newWebSocketBuilder()
                            .buildAsync(address(process), new Listener(messages))
                            .get(2, TimeUnit.MINUTES);
            Chromium started = new Chromium(process, socket, messages);
            String target =
                    started.call("Target.createTarget", Map.of("url", "about:blank"))
                            .path("targetId")
                            .asText();
            started.tab =
                    started.call(
                                    "Target.attachToTarget",
                                    Map.of("targetId", target, "flatten", true))
                            .path("sessionId")
                            .asText();
            started.call("Page.enable", Map.of());
            return started;
        } catch (Exception e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /** It prints where it listens; what it prints later is of no interest, but must be read. */
    private static URI address(Process process) throws IOException {
        BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        StringBuilder printed = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            printed.append(line).append('\n');
            int start = line.indexOf("ws://");
            if (start >= 0) {
                Thread drain = new Thread(() -> out.lines().forEach(more -> {}), "chromium-out");
                drain.setDaemon(true);
                drain.start();
                return URI.create(line.substring(start).strip());
            }
        }
        throw new IOException("Chromium did not start: " + printed);
    }

    /** Puts messages together and into a queue. */
    private static final class Listener implements WebSocket.Listener {
        private final BlockingQueue<JsonNode> messages;
        private final StringBuilder text = new StringBuilder();

        Listener(BlockingQueue<JsonNode> messages) {
            this.messages = messages;
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                try {
                    messages.add(MAPPER.readTree(text.toString()));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }
    }

    private JsonNode call(String method, Map<String, Object> parameters) throws Exception {
        ObjectNode message = MAPPER.createObjectNode().put("id", ++sent).put("method", method);
        message.set("params", MAPPER.valueToTree(parameters));
        if (!tab.isEmpty()) {
            message.put("sessionId", tab);
        }
        socket.sendText(message.toString(), true).get(1, TimeUnit.MINUTES);
        while (true) {
            JsonNode answer = next(method);
            if (answer.path("id").asInt() == sent) {
                if (answer.has("error")) {
                    throw new AssertionError(method + ": " + answer.path("error"));
                }
                return answer.path("result");
            }
        }
    }

    private JsonNode next(String waitingFor) throws InterruptedException {
        JsonNode message = messages.poll(2, TimeUnit.MINUTES);
        if (message == null) {
            throw new AssertionError("Chromium said nothing for two minutes after " + waitingFor);
        }
        loaded |= message.path("method").asText().equals("Page.loadEventFired");
        return message;
    }

    /** Opens a page and waits until it is there. */
    void open(URI address) throws Exception {
        loaded = false;
        call("Page.navigate", Map.of("url", address.toString()));
        awaitLoad();
    }

    /** Runs script that makes the browser go to another page, and waits until it is there. */
    void follow(String script) throws Exception {
        loaded = false;
        evaluate(script + "; true");
        awaitLoad();
    }

    private void awaitLoad() throws InterruptedException {
        while (!loaded) {
            next("leaving for another page");
        }
    }

    /** The value of an expression in the page, as text. */
    String evaluate(String expression) throws Exception {
        return call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true))
                .path("result")
                .path("value")
                .asText();
    }

    /** A picture of what the window shows. */
    byte[] picture() throws Exception {
        return Base64.getDecoder()
                .decode(
                        call("Page.captureScreenshot", Map.of("format", "png"))
                                .path("data")
                                .asText());
    }

    @Override
    public void close() {
        socket.abort();
        try (Stream<ProcessHandle> below = process.descendants()) {
            // Dead ones write no more to the profile, which is deleted next.
            List<ProcessHandle> all = below.toList();
            all.forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            all.forEach(one -> one.onExit().join());
        }
        process.onExit().join();
    }
}
