package io.agentprm.cli.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.agentprm.api.trajectory.Candidate;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import io.agentprm.cli.eval.EvalCommand;
import io.agentprm.cli.run.TinyRun;
import io.agentprm.core.context.StopSignal;
import io.agentprm.core.pipeline.EvaluationRun;
import io.agentprm.core.pipeline.ResultsFile;
import io.agentprm.core.store.OnCorrupt;
import io.agentprm.core.store.TrajectoryFiles;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reward model of a provider, a classifier on a server, where a model directory can be named. */
class ServedJudgeTest {
    @TempDir private Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/classify", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            asked.incrementAndGet();
            String text =
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String action =
                    text.replaceFirst("(?s).*ACTION:(\\\\n| )*", "")
                            .replaceFirst("(?s)(\\\\n)*\".*", "");
            byte[] body =
                    ("{\"data\": [{\"probs\": [" + score(action) + "]}]}")
                            .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** What the classifier thinks of an action, wherever: a probability. */
    private static double score(String action) {
        return Math.floorMod(action.strip().hashCode(), 16) / 16.0;
    }

    private String judge() {
        return "{type: openai-reward, server: {url: 'http://127.0.0.1:"
                + server.getAddress().getPort()
                + "'}}";
    }

    private String setting() {
        return "evaluation.judge=" + judge();
    }

    /** A run without iterations, of a few episodes. */
    private Path run(String... more) {
        Path run = directory.resolve("run");
        TinyRun.run(run, few(more));
        return run;
    }

    private static String[] few(String... more) {
        List<String> all = new ArrayList<>(List.of("--set", "evaluation.episodes=1"));
        all.addAll(List.of("--set", "evaluation.tasks=5"));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private String eval(Path run, String name, String... more) {
        List<String> all = new ArrayList<>(List.of(run.toString(), "--iteration", "0"));
        all.addAll(List.of("--choose", "best-of-n", "--out", directory.resolve(name).toString()));
        all.addAll(List.of(more));
        return TinyRun.execute(new EvalCommand(), all);
    }

    /** The executed action is the one that the server scores best, and that score is recorded. */
    private static void assertChosenByTheServer(Path stage) throws IOException {
        int choices = 0;
        for (Trajectory trajectory : episodes(stage)) {
            for (Turn turn : trajectory.turns()) {
                Decision decision = turn.decision();
                // What is not admissible, or without a rival, need not be scored.
                List<Candidate> scored =
                        decision.candidates().stream().filter(c -> c.score().isPresent()).toList();
                double best = score(decision.action().text());
                for (Candidate candidate : scored) {
                    double score = score(candidate.action());
                    assertEquals(score, candidate.score().getAsDouble(), candidate.action());
                    assertTrue(score <= best, decision::toString);
                }
                choices += scored.size() > 1 ? 1 : 0;
            }
        }
        assertTrue(choices > 0, "nothing was chosen");
    }

    private static List<Trajectory> episodes(Path stage) throws IOException {
        try (Stream<Path> files = Files.list(stage)) {
            List<Path> shards =
                    files.filter(file -> file.toString().endsWith(".jsonl.gz")).sorted().toList();
            return TrajectoryFiles.trajectories().read(shards, OnCorrupt.FAIL).items();
        }
    }

    @Test
    void aRunChoosesByTheRewardModelThatItsConfigurationNames() throws IOException {
        Path run = run("--set", "loop.iterations=1", "--set", setting());
        for (String agent : List.of("pi-0-best-of-n", "pi-1-best-of-n")) {
            assertChosenByTheServer(run.resolve("evaluation").resolve(agent));
        }
        ResultsFile.AgentResult result =
                ResultsFile.read(run.resolve(ResultsFile.NAME)).agents().stream()
                        .filter(agent -> agent.agent().equals("best-of-n(pi-1, openai-reward)"))
                        .findFirst()
                        .orElseThrow();
        assertEquals(Optional.of("openai-reward"), result.rewardModel());
        String report = Files.readString(run.resolve("report.html"));
        assertTrue(report.contains("\"scale\":\"probability\""), "as the provider declares it");
        assertFalse(report.contains("Q-0 in evaluation"), "scores of another reward model");
    }

    @Test
    void aRunThatTrainsNoRewardModelChoosesByTheNamedOne() throws IOException {
        String[] settings = {"--set", "loop.iterations=0", "--set", setting()};
        List<String> planned = new ArrayList<>(List.of(settings));
        planned.add("--dry-run");
        String plan = TinyRun.run(directory.resolve("run"), few(planned.toArray(String[]::new)));
        assertTrue(plan.contains("evaluation/pi-0-best-of-n "), plan);
        assertEquals(0, asked.get(), "a plan costs nothing");
        assertChosenByTheServer(run(settings).resolve("evaluation/pi-0-best-of-n"));
    }

    @Test
    void whatCannotBeMadeIsRefusedBeforeAnythingIsTrained() {
        Path run = directory.resolve("run");
        String judge =
                "evaluation.judge={type: openai-reward, server: {url: 'http://x', dialect: openai, model: m}}";
        AssertionError error =
                assertThrows(AssertionError.class, () -> TinyRun.run(run, few("--set", judge)));
        assertTrue(
                error.getMessage().contains("evaluation.judge (openai-reward): "),
                error.getMessage());
        assertFalse(Files.exists(run.resolve("policy-0")));
    }

    @Test
    void evalChoosesByTheNamedRewardModelUnlessToldOtherwise() throws IOException {
        Path run = run("--set", "loop.iterations=1");
        String set = eval(run, "set", "--set", setting());
        assertTrue(set.startsWith("best-of-n(pi-0, openai-reward)"), set);
        assertChosenByTheServer(directory.resolve("set/trajectories"));
        assertEquals(
                set.replace("set", "x"),
                eval(run, "said", "--reward-model", judge()).replace("said", "x"));
        assertChosenByTheServer(directory.resolve("said/trajectories"));
        int before = asked.get();
        String own = eval(run, "own", "--set", setting(), "--reward-model", "0");
        assertTrue(own.startsWith("best-of-n(pi-0, Q-0)"), own);
        assertEquals(before, asked.get());
        assertTrue(Files.exists(directory.resolve("own").resolve(EvaluationRun.REPORT)));
    }

    @Test
    void aRewardModelThatIsNoComponentIsRefusedWithTheOption() {
        Path run = run("--set", "loop.iterations=0");
        AssertionError error =
                assertThrows(
                        AssertionError.class,
                        () -> eval(run, "x", "--reward-model", "{server: here}"));
        assertTrue(
                error.getMessage()
                        .contains("--reward-model {server: here}:1:1: a component is expected"),
                error.getMessage());
    }

    @Test
    void playShowsItsScoresAsItDeclaresThem() {
        String printed =
                TinyRun.execute(
                        new PlayCommand(new StringReader("quit\n"), new StopSignal()),
                        List.of("--environment", "toy-mdp", "--reward-model", judge()));
        assertTrue(printed.startsWith("Scores by openai-reward"), printed);
        List<String[]> choices =
                printed.lines()
                        .map(line -> line.strip().split(" +"))
                        .filter(words -> words.length == 3 && words[0].matches("[0-9]+"))
                        .toList();
        assertFalse(choices.isEmpty(), printed);
        for (String[] words : choices) {
            assertEquals(score(words[2]), Double.parseDouble(words[1]), 0.001, printed);
        }
    }
}
