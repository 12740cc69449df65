package io.agentprm.engine.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.api.run.RandomSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.SocketException;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is repeated, after which wait, and what is not; on a clock that only waits move. */
class CallerTest {
    private static final String KEY = "sk-very-secret-0123";
    private static final Wire.Answer GOOD = json(200, "{\"ok\": 1}");

    private final FakeTime time = new FakeTime();
    private final Deque<Object> script = new ArrayDeque<>();
    private final List<Duration> timeouts = new ArrayList<>();

    private static Wire.Answer json(int status, String body) {
        return answer(status, "application/json", Optional.empty(), body);
    }

    private static Wire.Answer answer(
            int status, String type, Optional<String> retryAfter, String body) {
        return new Wire.Answer(status, type, retryAfter, body.getBytes(StandardCharsets.UTF_8));
    }

    private Caller caller(ServerConfig config) {
        return caller(config, time);
    }

    private Caller caller(ServerConfig config, Sleeper sleeper) {
        Wire wire =
                (address, json, timeout) -> {
                    timeouts.add(timeout);
                    Object next = script.removeFirst();
                    if (next instanceof IOException error) {
                        throw error;
                    }
                    return (Wire.Answer) next;
                };
        ApiKey key = ApiKey.of(Optional.of("KEY"), name -> Optional.of(KEY));
        return new Caller(
                config, wire, key, new Pace(config.requestsPerMinute(), time), time, sleeper);
    }

    private static ServerConfig config(int attempts, Duration deadline, int perMinute) {
        return new ServerConfig(
                "http://localhost:1/v1/",
                Dialect.VLLM,
                Optional.empty(),
                Optional.of("KEY"),
                1,
                perMinute,
                Duration.ofSeconds(30),
                deadline,
                attempts,
                Duration.ofSeconds(1));
    }

    private static ServerConfig config() {
        return config(4, Duration.ofMinutes(10), 0);
    }

    private static JsonNode post(Caller caller, RandomSource random) {
        try {
            return caller.post("/v1/x", Answers.MAPPER.createObjectNode(), random);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private JsonNode post() {
        return post(caller(config()), RandomSource.of(1));
    }

    private ServerException fails() {
        return assertThrows(ServerException.class, this::post);
    }

    @Test
    void faultsThatMayPassAreTriedAgain() {
        List<Object> faults =
                List.of(
                        json(500, "oops"),
                        json(502, ""),
                        json(503, ""),
                        json(504, ""),
                        json(429, ""),
                        json(408, ""),
                        json(200, "{\"ok\": "),
                        json(200, ""),
                        new SocketException("Connection reset"),
                        new HttpTimeoutException("no complete answer within 30000 ms"));
        for (Object fault : faults) {
            script.addAll(List.of(fault, GOOD));
            assertEquals(1, post().path("ok").asInt(), fault.toString());
            assertTrue(script.isEmpty());
        }
        assertEquals(faults.size(), time.slept().size(), "one wait each");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 422, 501})
    void refusalsAreNotTriedAgain(int status) {
        script.addAll(List.of(json(status, "{\"error\": \"no such thing\"}"), GOOD));
        ServerException e = fails();
        assertTrue(e.getMessage().contains("http://localhost:1/v1/x"), e.getMessage());
        assertTrue(e.getMessage().contains("status " + status), e.getMessage());
        assertTrue(e.getMessage().contains("no such thing"), e.getMessage());
        assertEquals(1, script.size());
        assertEquals(List.of(), time.slept());
    }

    @Test
    void whatIsNoJsonIsRefusedWithARemedy() {
        script.add(answer(200, "text/html", Optional.empty(), "<html>Welcome</html>"));
        ServerException e = fails();
        assertTrue(e.getMessage().contains("text/html"), e.getMessage());
        assertTrue(e.getMessage().contains("check that url"), e.getMessage());
    }

    @Test
    void waitsDoubleAndAreShortenedByUpToHalf() {
        script.addAll(List.of(json(500, ""), json(500, ""), json(500, ""), GOOD));
        post();
        assertEquals(3, time.slept().size());
        for (int i = 0; i < 3; i++) {
            long wait = time.slept().get(i).toMillis();
            assertTrue(wait >= 500L << i && wait <= 1000L << i, time.slept().toString());
        }
    }

    @Test
    void waitsComeFromTheRequestsOwnStream() {
        List<List<Duration>> all = new ArrayList<>();
        for (int seed : new int[] {1, 1, 2}) {
            script.addAll(List.of(json(500, ""), json(500, ""), GOOD));
            int before = time.slept().size();
            post(caller(config()), RandomSource.of(seed));
            all.add(List.copyOf(time.slept().subList(before, before + 2)));
        }
        assertEquals(all.get(0), all.get(1));
        assertNotEquals(all.get(0), all.get(2));
    }

    @Test
    void aServerThatSaysWhenToComeAgainIsObeyed() {
        script.addAll(
                List.of(
                        answer(429, "", Optional.of("7"), ""),
                        answer(503, "", Optional.of("Thu, 01 Jan 2026 00:00:20 GMT"), ""),
                        answer(429, "", Optional.of("Wed, 31 Dec 2025 00:00:00 GMT"), ""),
                        GOOD));
        post();
        assertEquals(List.of(Duration.ofSeconds(7), Duration.ofSeconds(13)), time.slept());
    }

    @Test
    void aWaitThatCannotBeReadIsOurOwn() {
        script.addAll(List.of(answer(429, "", Optional.of("soon"), ""), GOOD));
        post();
        assertTrue(time.slept().get(0).toMillis() >= 500, time.slept().toString());
    }

    @Test
    void afterTheLastAttemptTheLastFaultIsTold() {
        script.addAll(
                List.of(json(500, ""), json(500, ""), json(500, ""), json(503, "overloaded")));
        ServerException e = fails();
        assertTrue(e.getMessage().contains("status 503 (overloaded)"), e.getMessage());
        assertTrue(e.getMessage().contains("gave up after 4 attempts"), e.getMessage());
        assertEquals(3, time.slept().size(), "no wait after the last");
    }

    @Test
    void noAttemptIsMadeAfterTheDeadline() {
        script.addAll(List.of(answer(429, "", Optional.of("61"), ""), GOOD));
        ServerException e =
                assertThrows(
                        ServerException.class,
                        () ->
                                post(
                                        caller(config(4, Duration.ofSeconds(60), 0)),
                                        RandomSource.of(1)));
        assertTrue(e.getMessage().contains("deadline of 60 s"), e.getMessage());
        assertEquals(List.of(), time.slept());
    }

    @Test
    void anAttemptMayTakeWhatIsLeftUntilTheDeadline() {
        script.addAll(List.of(answer(429, "", Optional.of("50"), ""), GOOD));
        post(caller(config(4, Duration.ofSeconds(60), 0)), RandomSource.of(1));
        assertEquals(List.of(Duration.ofSeconds(30), Duration.ofSeconds(10)), timeouts);
    }

    @Test
    void requestsKeepTheirDistance() {
        Caller caller = caller(config(1, Duration.ofMinutes(10), 30));
        script.addAll(List.of(GOOD, GOOD, GOOD));
        post(caller, RandomSource.of(1));
        time.pass(Duration.ofMillis(500));
        post(caller, RandomSource.of(1));
        time.pass(Duration.ofSeconds(10));
        post(caller, RandomSource.of(1));
        assertEquals(List.of(Duration.ofMillis(1500)), time.slept());
    }

    /** Four requests at a time: their waits begin together, so nobody's moves the clock. */
    @Test
    void aRequestWhoseTurnComesAfterTheDeadlineIsNotMade() {
        Duration deadline = Duration.ofSeconds(5);
        Caller caller = caller(config(4, deadline, 20), time.slept()::add);
        script.addAll(List.of(GOOD, GOOD));
        post(caller, RandomSource.of(1));
        post(caller, RandomSource.of(2));
        for (int more = 0; more < 2; more++) {
            ServerException e =
                    assertThrows(ServerException.class, () -> post(caller, RandomSource.of(3)));
            assertTrue(
                    e.getMessage().contains("20 requests a minute")
                            && e.getMessage().contains("deadline of 5000 ms"),
                    e.getMessage());
        }
        assertEquals(List.of(Duration.ofSeconds(3)), time.slept());
        time.pass(Duration.ofSeconds(3));
        script.add(GOOD);
        post(caller, RandomSource.of(4));
        assertEquals(Duration.ofSeconds(3), time.slept().get(1), "refused requests take no turn");
    }

    @Test
    void anotherAttemptWhoseTurnComesAfterTheDeadlineTellsTheFault() {
        script.addAll(List.of(json(503, "overloaded"), GOOD));
        ServerException e =
                assertThrows(
                        ServerException.class,
                        () ->
                                post(
                                        caller(config(4, Duration.ofSeconds(5), 10)),
                                        RandomSource.of(1)));
        assertTrue(e.getMessage().contains("status 503 (overloaded)"), e.getMessage());
        assertTrue(e.getMessage().contains("10 requests a minute"), e.getMessage());
        assertEquals(1, script.size());
    }

    @Test
    void aWaitThatTookTooLongEndsTheRequest() {
        script.addAll(List.of(json(503, "overloaded"), GOOD));
        Caller caller =
                caller(
                        config(4, Duration.ofSeconds(5), 0),
                        wait -> time.pass(Duration.ofSeconds(6)));
        ServerException e =
                assertThrows(ServerException.class, () -> post(caller, RandomSource.of(1)));
        assertTrue(e.getMessage().contains("status 503 (overloaded)"), e.getMessage());
        assertTrue(e.getMessage().contains("deadline of 5000 ms"), e.getMessage());
        assertEquals(1, script.size());
    }

    /** Servers repeat keys in their complaints. */
    @Test
    void theKeyIsNeitherLoggedNorTold() {
        String echo = "{\"error\": \"Incorrect API key provided: " + KEY + "\"}";
        script.addAll(
                List.of(json(500, echo), new SocketException("sent " + KEY), json(401, echo)));
        PrintStream err = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        ServerException e;
        try {
            System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
            e = fails();
        } finally {
            System.setErr(err);
        }
        String logged = log.toString(StandardCharsets.UTF_8);
        assertTrue(logged.contains("attempt 3 of 4"), "the log was seen: " + logged);
        assertFalse(logged.contains(KEY), logged);
        assertFalse(e.getMessage().contains(KEY), e.getMessage());
        assertTrue(e.getMessage().contains("check the key in KEY"), e.getMessage());
        ApiKey key = ApiKey.of(Optional.of("KEY"), name -> Optional.of(KEY));
        assertFalse((key + " " + config()).contains(KEY));
    }

    @Test
    void aVariableThatIsNamedMustBeSet() {
        for (Optional<String> value : List.of(Optional.<String>empty(), Optional.of(" "))) {
            ServerException e =
                    assertThrows(
                            ServerException.class,
                            () -> ApiKey.of(Optional.of("MY_KEY"), name -> value));
            assertTrue(e.getMessage().contains("MY_KEY"), e.getMessage());
        }
        assertTrue(ApiKey.of(Optional.empty(), name -> Optional.of(KEY)).header().isEmpty());
    }
}
