package io.agentprm.cli.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.core.store.TrajectoryFiles;
import io.agentprm.testkit.ToyEnvironmentProvider;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The command in a JVM of its own, ended by signals. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no signals")
@Timeout(600)
class WebPlayTest {
    private static final Pattern ADDRESS = Pattern.compile("Play at (http://[^ ]+)");

    @TempDir private Path directory;

    private final HttpClient client =
            HttpClient.newBuilder()
                    .cookieHandler(new CookieManager())
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .build();

    @Test
    void aSignalClosesEverythingAndAKillLosesNoFinishedEpisode() throws Exception {
        Path file = directory.resolve("mine.jsonl.gz");
        Process first = start(file);
        try {
            finishOneAndBeginAnother(address(first));
            // SIGTERM.
            first.destroy();
            assertEquals(0, first.waitFor(), this::log);
        } finally {
            first.destroyForcibly();
        }
        assertTrue(log().contains("Closed. Recorded: 1 episode in "), this::log);
        Files.delete(directory.resolve("log"));
        Process second = start(file);
        finishOneAndBeginAnother(address(second));
        // SIGKILL.
        second.destroyForcibly().waitFor();
        assertEquals(2, TrajectoryFiles.trajectories().read(file).size());
        Files.delete(directory.resolve("log"));
        Process third = start(file);
        try {
            address(third);
            assertTrue(log().contains("Recording: 2 episodes in "), this::log);
        } finally {
            third.destroyForcibly();
        }
    }

    private Process start(Path file) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.agentprm.cli.Main",
                        "play",
                        "--environment",
                        new ToyEnvironmentProvider().name(),
                        "--record",
                        file.toString(),
                        "--web",
                        "--port",
                        "0")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    private URI address(Process process) throws Exception {
        while (true) {
            Matcher matcher = ADDRESS.matcher(log());
            if (matcher.find()) {
                return URI.create(matcher.group(1));
            }
            assertTrue(process.isAlive(), this::log);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private void finishOneAndBeginAnother(URI server) throws Exception {
        String page = send(HttpRequest.newBuilder(server));
        page = post(server.resolve("act"), page, "action=open");
        assertTrue(page.contains("class=\"end"), page);
        page = post(server.resolve("task"), page, "go=next");
        post(server.resolve("act"), page, "action=left");
    }

    private String post(URI to, String page, String fields) throws Exception {
        String form =
                fields + "&token=" + hidden("token", page) + "&stamp=" + hidden("stamp", page);
        return send(
                HttpRequest.newBuilder(to)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(form)));
    }

    private static String hidden(String name, String page) {
        Matcher matcher = Pattern.compile("name=\"" + name + "\" value=\"([^\"]*)\"").matcher(page);
        assertTrue(matcher.find(), page);
        return matcher.group(1);
    }

    private String send(HttpRequest.Builder request) throws Exception {
        HttpResponse<String> answer =
                client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer.body());
        return answer.body();
    }

    private String log() {
        try {
            return Files.readString(directory.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
