package io.agentprm.cli.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Environment;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.cli.game.Advisers;
import io.agentprm.cli.game.Playground;
import io.agentprm.cli.game.Recorder;
import io.agentprm.cli.game.TaskChoice;
import io.agentprm.core.store.TrajectoryFiles;
import io.agentprm.testkit.ScriptedPolicy;
import io.agentprm.testkit.ScriptedRewardModel;
import io.agentprm.testkit.ToyEnvironment;
import io.agentprm.testkit.ToyMdp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page over HTTP. */
class PlayServerTest {
    private static final InetSocketAddress ANY_PORT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final OddEnvironment odd = new OddEnvironment();

    @TempDir private Path directory;
    private Optional<PlayServer> server = Optional.empty();

    @AfterEach
    void close() {
        server.ifPresent(PlayServer::close);
    }

    @Test
    void pageShowsTheTaskAndAButtonForEveryAdmissibleAction() {
        TestVisitor visitor = visiting(house(), nobody());
        String page = visitor.look();
        assertTrue(page.contains("<h1>fetch</h1>"), page);
        assertEquals(List.of("left", "right", "open"), visitor.actions());
        assertTrue(page.contains("Nothing is recorded."), page);
        assertFalse(page.contains("class=\"score\""), page);
    }

    @Test
    void scoresStandBesideTheActionsRawAndAsProbabilities() {
        TestVisitor visitor = visiting(house(), judged(leftIsBest(ScoreScale.LOGIT)));
        String page = visitor.look();
        assertTrue(page.contains(scored("left", " best", "0.731<small> raw 1.00</small>")), page);
        assertTrue(page.contains(scored("open", "", "0.119<small> raw -2.00</small>")), page);
        assertEquals(page.indexOf(" best\""), page.lastIndexOf(" best\""), page);
    }

    @Test
    void scoresThatAreNoProbabilitiesAreShownAsTheyAre() {
        TestVisitor visitor = visiting(house(), judged(leftIsBest(ScoreScale.UNBOUNDED)));
        String page = visitor.look();
        assertTrue(page.contains(scored("left", " best", "1.00")), page);
        assertTrue(page.contains("Scores, which are no probabilities, by "), page);
    }

    @Test
    void anAdviserThatFailsDoesNotEndTheGame() {
        TestVisitor visitor = visiting(house(), judged(ScriptedRewardModel.notANumber()));
        assertTrue(visitor.look().contains("no scores: "), visitor.page());
        assertTrue(visitor.press("left").contains("Actions: 1 of at most "), visitor.page());
    }

    @Test
    void proposalsAreMarkedAndCanBePressedEvenIfTheyAreNotAdmissible() {
        TestVisitor visitor =
                visiting(
                        house(),
                        new Advisers(
                                Optional.empty(),
                                Optional.of(ScriptedPolicy.sequence("left", "dance")),
                                RandomSource.of(1)));
        assertTrue(
                visitor.look().contains(">left</button><span class=\"proposed\">"), visitor.page());
        assertTrue(visitor.press("left").contains(">dance</button>"), visitor.page());
        assertTrue(visitor.press("dance").contains("Invalid action: "), visitor.page());
    }

    @Test
    void aReplyWithoutAnActionProposesNothing() {
        TestVisitor visitor =
                visiting(
                        house(),
                        new Advisers(
                                Optional.empty(),
                                Optional.of(ScriptedPolicy.unparseable()),
                                RandomSource.of(1)));
        assertTrue(visitor.look().contains("nothing, since no action in the reply"));
        assertEquals(List.of("left", "right", "open"), visitor.actions());
    }

    @Test
    void finishedEpisodesAreRecordedOnceAndOthersNever() {
        Path file = directory.resolve("episodes.jsonl.gz");
        try (Recorder recorder = Recorder.to(file)) {
            TestVisitor visitor = visiting(house(), nobody(), recorder);
            visitor.look();
            visitor.press("left");
            visitor.submit("task", Map.of("go", "again"));
            visitor.press("left");
            Map<String, String> last = visitor.form(Map.of("action", "open"));
            String page = visitor.submit("act", last);
            assertTrue(page.contains("Success: reward 1.000 after 2 actions (goal)."), page);
            assertTrue(page.contains("Finished episodes are recorded: 1 episode in "), page);
            visitor.look();
            // The form of a page that is gone, as the button Back of a browser brings it.
            assertTrue(visitor.submit("act", last).contains("out of date"), visitor.page());
            visitor.submit("act", Map.of("action", "open"));
        }
        List<Trajectory> recorded = TrajectoryFiles.trajectories().read(file);
        assertEquals(1, recorded.size());
        Trajectory only = recorded.get(0);
        assertTrue(only.success());
        assertEquals("someone", only.policyId());
        assertEquals(1, only.episode());
        assertEquals(
                List.of("left", "open"),
                only.turns().stream().map(turn -> turn.decision().action().text()).toList());
    }

    @Test
    void attemptsAreNumberedOnAcrossStartsOfTheServer() {
        Path file = directory.resolve("episodes.jsonl.gz");
        for (int start = 0; start < 2; start++) {
            try (Recorder recorder = Recorder.to(file)) {
                TestVisitor visitor = visiting(house(), nobody(), recorder);
                visitor.look();
                visitor.press("open");
                close();
            }
        }
        assertEquals(
                List.of(0, 1),
                TrajectoryFiles.trajectories().read(file).stream()
                        .map(Trajectory::episode)
                        .toList());
    }

    @Test
    void tasksAreTakenInOrderOrByNumberOrId() {
        TestVisitor visitor = visiting(house(), nobody());
        assertTrue(visitor.look().contains("task 0 of "));
        assertTrue(visitor.submit("task", Map.of("go", "next")).contains("train-1<"));
        Map<String, String> valid = Map.of("go", "to", "split", "valid", "name", "valid-1");
        assertTrue(visitor.submit("task", valid).contains("task 1 of 2 in valid"), visitor.page());
        Map<String, String> none = Map.of("go", "to", "split", "valid", "name", "777777");
        assertTrue(visitor.submit("task", none).contains("there is no task"), visitor.page());
        assertTrue(visitor.look().contains("valid-1<"));
    }

    @Test
    void everyTextIsEscapedAndActionsArriveAsTheyAre() {
        TestVisitor visitor = visiting(odd, nobody());
        visitor.look();
        String title = visitor.actions().get(0);
        visitor.press(title);
        visitor.submit("act", Map.of("action", "\"><script>"));
        assertEquals(List.of(OddEnvironment.ODD, "\"><script>"), odd.done);
        assertFalse(visitor.page().contains("<script"), visitor.page());
        assertFalse(visitor.page().contains("&amp;</title"), visitor.page());
        assertTrue(visitor.page().contains("See &lt;script&gt;alert(1)"), visitor.page());
        assertTrue(visitor.page().contains("Invalid action: no &lt;script&gt;"), visitor.page());
    }

    @Test
    void anEnvironmentThatFailsLosesItsEpisodeOnly() {
        TestVisitor visitor = visiting(odd, nobody());
        visitor.look();
        String page = visitor.press("break");
        assertTrue(page.contains("The environment failed, and the episode is lost: "), page);
        assertFalse(page.contains("<script"), page);
        assertEquals(0, odd.open.get());
        visitor.submit("task", Map.of("go", "again"));
        assertTrue(visitor.press("end").contains("Success"), visitor.page());
    }

    @Test
    void visitorsDoNotSeeEachOther() {
        TestVisitor one = visiting(house(), nobody());
        TestVisitor other = new TestVisitor(server.orElseThrow().address());
        one.look();
        other.look();
        one.press("left");
        assertTrue(other.look().contains("Actions: 0 of "), other.page());
        assertTrue(one.look().contains("Actions: 1 of "), one.page());
    }

    @Test
    void aFormNeedsTheTokenOfItsOwnPage() {
        TestVisitor visitor = visiting(odd, nobody());
        TestVisitor stranger = new TestVisitor(server.orElseThrow().address());
        visitor.look();
        stranger.look();
        String foreign = stranger.form(Map.of()).get("token");
        for (String token : List.of("", "x", foreign)) {
            Map<String, String> form = visitor.form(Map.of("action", "end", "token", token));
            assertEquals(403, visitor.post("act", form).statusCode(), token);
            assertEquals(403, visitor.post("task", form).statusCode(), token);
        }
        assertEquals(List.of(), odd.done);
    }

    @Test
    void formsOfOtherSitesAreRefused() {
        TestVisitor visitor = visiting(odd, nobody());
        visitor.look();
        Map<String, String> form = visitor.form(Map.of("action", "end"));
        String own = server.orElseThrow().address().toString().replaceFirst("/$", "");
        for (String origin : List.of("http://example.org", "null", own + "0", "https" + own)) {
            assertEquals(403, visitor.post("act", form, "Origin", origin).statusCode(), origin);
        }
        assertEquals(403, visitor.post("act", form, "Sec-Fetch-Site", "cross-site").statusCode());
        assertEquals(List.of(), odd.done);
        assertEquals(200, visitor.post("act", form, "Origin", own).statusCode());
        assertEquals(List.of("end"), odd.done);
    }

    @Test
    void aNameThatIsNotOursIsRefused() throws IOException {
        visiting(odd, nobody());
        for (String name :
                List.of("example.org", "127.0.0.1.example.org:80", "localhost.example")) {
            assertEquals("421", status("Host: " + name), name);
        }
        for (String name : List.of("localhost:1", "127.0.0.1", "[::1]:8765", "192.168.0.7:80")) {
            assertEquals("200", status("Host: " + name), name);
        }
        assertNotEquals("200", status("X: y"));
        assertNotEquals("200", status("Host: localhost\r\nHost: example.org"));
    }

    /** The status of an answer to a request with these headers, which HttpClient does not send. */
    private String status(String headers) throws IOException {
        int port = server.orElseThrow().address().getPort();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            String request = "GET / HTTP/1.1\r\n" + headers + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return answer.split(" ", 3)[1];
        }
    }

    @Test
    void thereAreAsManySeatsAsSaidAndWhoIsAwayMakesRoom() {
        AtomicInteger minutes = new AtomicInteger();
        AtomicInteger secrets = new AtomicInteger();
        Visitors visitors =
                new Visitors(
                        playground(odd, nobody(), Recorder.none()),
                        2,
                        minutesAfterTheEpoch(minutes),
                        () -> "secret-" + secrets.incrementAndGet());
        PlayServer started = PlayServer.start(ANY_PORT, visitors);
        server = Optional.of(started);
        TestVisitor first = new TestVisitor(started.address());
        act(first);
        act(new TestVisitor(started.address()));
        assertEquals(2, odd.open.get());
        HttpRequest.Builder request = HttpRequest.newBuilder(started.address());
        assertEquals(503, new TestVisitor(started.address()).send(request).statusCode());
        minutes.set(20);
        first.look();
        minutes.set(40);
        act(new TestVisitor(started.address()));
        assertEquals(2, odd.open.get());
        assertTrue(first.press("end").contains("Success"), first.page());
        assertEquals(503, new TestVisitor(started.address()).send(request).statusCode());
    }

    @Test
    void whoHasOnlyLookedMakesRoomAtOnce() {
        PlayServer started =
                PlayServer.start(playground(odd, nobody(), Recorder.none()), ANY_PORT, 2);
        server = Optional.of(started);
        TestVisitor first = new TestVisitor(started.address());
        act(first);
        for (int i = 0; i < 5; i++) {
            // Such as a picture on a page of somebody else, whose address is ours.
            new TestVisitor(started.address()).look();
        }
        assertEquals(2, odd.open.get());
        assertTrue(first.press("end").contains("Success"), first.page());
    }

    /** Does something that does not end the episode. */
    private static void act(TestVisitor visitor) {
        visitor.look();
        visitor.submit("act", Map.of("action", "wait"));
    }

    private static Clock minutesAfterTheEpoch(AtomicInteger minutes) {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return Instant.EPOCH.plus(Duration.ofMinutes(minutes.get()));
            }
        };
    }

    @Test
    void closingTheServerClosesEverySession() {
        TestVisitor visitor = visiting(odd, nobody());
        visitor.look();
        new TestVisitor(server.orElseThrow().address()).look();
        assertEquals(2, odd.open.get());
        close();
        assertEquals(0, odd.open.get());
    }

    @Test
    void otherRequestsAreRefused() {
        TestVisitor visitor = visiting(odd, nobody());
        visitor.look();
        var address = server.orElseThrow().address();
        HttpRequest.BodyPublisher none = HttpRequest.BodyPublishers.noBody();
        assertEquals(
                404,
                visitor.send(HttpRequest.newBuilder(address.resolve("/etc/passwd"))).statusCode());
        assertEquals(
                405, visitor.send(HttpRequest.newBuilder(address.resolve("/act"))).statusCode());
        assertEquals(405, visitor.send(HttpRequest.newBuilder(address).DELETE()).statusCode());
        assertEquals(
                415,
                visitor.send(HttpRequest.newBuilder(address.resolve("/act")).POST(none))
                        .statusCode());
        Map<String, String> large = visitor.form(Map.of("action", "x".repeat(Form.LIMIT)));
        assertEquals(413, visitor.post("act", large).statusCode());
        assertEquals(List.of(), odd.done);
    }

    @Test
    void pagesRunNoScriptAndAreNotKept() {
        TestVisitor visitor = visiting(odd, nobody());
        HttpResponse<String> answer =
                visitor.send(HttpRequest.newBuilder(server.orElseThrow().address()));
        String policy = answer.headers().firstValue("Content-Security-Policy").orElseThrow();
        assertTrue(policy.startsWith("default-src 'none'; style-src 'sha256-"), policy);
        assertFalse(policy.contains("unsafe"), policy);
        assertEquals("no-store", answer.headers().firstValue("Cache-Control").orElseThrow());
        String cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
        assertTrue(cookie.contains("HttpOnly") && cookie.contains("SameSite="), cookie);
    }

    private static Environment house() {
        return ToyEnvironment.of(ToyMdp.house());
    }

    private static Advisers nobody() {
        return Advisers.none();
    }

    private static Advisers judged(RewardModel judge) {
        return new Advisers(Optional.of(judge), Optional.<Policy>empty(), RandomSource.of(1));
    }

    private static RewardModel leftIsBest(ScoreScale scale) {
        return ScriptedRewardModel.of(
                scale,
                (state, decision) ->
                        switch (decision.action().text()) {
                            case "open" -> -2;
                            case "left" -> 1;
                            default -> 0;
                        });
    }

    private static String scored(String action, String style, String score) {
        return "title=\""
                + action
                + "\" class=\""
                + style
                + "\">"
                + action
                + "</button><span class=\"score\">"
                + score
                + "</span>";
    }

    private TestVisitor visiting(Environment environment, Advisers advisers) {
        return visiting(environment, advisers, Recorder.none());
    }

    private TestVisitor visiting(Environment environment, Advisers advisers, Recorder recorder) {
        PlayServer started =
                PlayServer.start(playground(environment, advisers, recorder), ANY_PORT, 4);
        server = Optional.of(started);
        return new TestVisitor(started.address());
    }

    private static Playground playground(
            Environment environment, Advisers advisers, Recorder recorder) {
        TaskChoice first = TaskChoice.of(environment, Optional.empty(), "0");
        return new Playground(environment, advisers, recorder, first, 1, "someone");
    }
}
