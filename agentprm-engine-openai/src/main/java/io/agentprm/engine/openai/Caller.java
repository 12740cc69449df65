package io.agentprm.engine.openai;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.api.run.RandomSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a request until it is answered: again after faults that may pass, with waits that double
 * from attempt to attempt and are shortened by chance by up to a half, so that many clients do not
 * come back together. Thread-safe.
 */
final class Caller {
    private static final Logger LOG = LoggerFactory.getLogger(Caller.class);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final ServerConfig config;
    private final Wire wire;
    private final Answers answers;
    private final ApiKey key;
    private final Pace pace;
    private final Clock clock;
    private final Sleeper sleeper;

    /**
     * @param pace at which requests go
     */
    Caller(ServerConfig config, Wire wire, ApiKey key, Pace pace, Clock clock, Sleeper sleeper) {
        this.config = config;
        this.wire = wire;
        this.answers = new Answers(config, key, clock);
        this.key = key;
        this.pace = pace;
        this.clock = clock;
        this.sleeper = sleeper;
    }

    /**
     * Posts JSON and gives the JSON of the answer.
     *
     * @param random stream of this request; waits draw from it
     * @throws ServerException if it is refused, fails too often, or takes too long
     */
    JsonNode post(String path, JsonNode body, RandomSource random) throws InterruptedException {
        URI address = config.endpoint(path);
        Instant end = clock.instant().plus(config.deadline());
        byte[] json = body.toString().getBytes(StandardCharsets.UTF_8);
        String before = "";
        for (int attempt = 1; ; attempt++) {
            if (!turnComes(end)) {
                throw new ServerException(address + ": " + before + tooLate(attempt));
            }
            Attempt result = attempt(address, json, end);
            if (result instanceof Attempt.Answered answered) {
                return answered.json();
            }
            Attempt.Failed failed = (Attempt.Failed) result;
            Duration wait = failed.pause().orElse(backOff(attempt, random));
            Optional<String> stop = stop(failed, attempt, wait, end);
            if (stop.isPresent()) {
                throw new ServerException(address + ": " + failed.why() + stop.get());
            }
            LOG.warn(
                    "{}: {}; attempt {} of {} in {} ms",
                    address,
                    failed.why(),
                    attempt + 1,
                    config.attempts(),
                    wait.toMillis());
            pause(wait);
            before = failed.why() + "; ";
        }
    }

    /** Waits for a turn; false if the deadline comes first. */
    private boolean turnComes(Instant end) throws InterruptedException {
        Optional<Duration> turn = pace.untilTurn(end);
        if (turn.isPresent()) {
            pause(turn.get());
        }
        return turn.isPresent() && clock.instant().isBefore(end);
    }

    private String tooLate(int attempt) {
        String deadline = "the deadline of " + text(config.deadline());
        return config.requestsPerMinute() == 0
                ? deadline + " passed before attempt " + attempt + ", raise deadline"
                : "at "
                        + config.requestsPerMinute()
                        + " requests a minute the turn of attempt "
                        + attempt
                        + " comes after "
                        + deadline
                        + ", raise deadline or requests-per-minute, or lower concurrency";
    }

    /** Why there is to be no other attempt. */
    private Optional<String> stop(Attempt.Failed failed, int attempt, Duration wait, Instant end) {
        if (!failed.again()) {
            return Optional.of("");
        }
        if (attempt >= config.attempts()) {
            return Optional.of(
                    "; gave up after "
                            + attempt
                            + " attempts, see the server's log or raise attempts");
        }
        if (clock.instant().plus(wait).isAfter(end)) {
            return Optional.of(
                    "; the next attempt in "
                            + text(wait)
                            + " would be after the deadline of "
                            + text(config.deadline())
                            + ", raise deadline");
        }
        return Optional.empty();
    }

    private Attempt attempt(URI address, byte[] json, Instant end) throws InterruptedException {
        Duration left = Duration.between(clock.instant(), end);
        Duration timeout = left.compareTo(config.timeout()) < 0 ? left : config.timeout();
        try {
            return answers.judge(wire.post(address, json, atLeastOne(timeout)));
        } catch (HttpTimeoutException e) {
            return Attempt.lost(e.getMessage());
        } catch (IOException e) {
            return Attempt.lost(
                    "no answer ("
                            + key.hiddenIn(Optional.ofNullable(e.getMessage()).orElse(e.toString()))
                            + "); check that the server runs");
        }
    }

    private static Duration atLeastOne(Duration timeout) {
        return timeout.toMillis() < 1 ? Duration.ofMillis(1) : timeout;
    }

    private static String text(Duration time) {
        return time.toSeconds() < 10 ? time.toMillis() + " ms" : time.toSeconds() + " s";
    }

    private Duration backOff(int attempt, RandomSource random) {
        double doubled = config.firstWait().toMillis() * Math.pow(2, attempt - 1.0);
        double capped = Math.min(doubled, LONGEST.toMillis());
        double share = 1 - random.derive("wait").derive(attempt).generator().nextDouble() / 2;
        return Duration.ofMillis(Math.round(capped * share));
    }

    private void pause(Duration time) throws InterruptedException {
        if (!time.isZero() && !time.isNegative()) {
            sleeper.sleep(time);
        }
    }
}
