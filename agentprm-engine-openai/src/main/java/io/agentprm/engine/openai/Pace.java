package io.agentprm.engine.openai;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Keeps requests apart in time. Thread-safe. */
final class Pace {
    private final Duration apart;
    private final Clock clock;
    private Instant free = Instant.MIN;

    /**
     * @param perMinute largest number of requests a minute; 0 for any
     */
    Pace(int perMinute, Clock clock) {
        this.apart = perMinute == 0 ? Duration.ZERO : Duration.ofMinutes(1).dividedBy(perMinute);
        this.clock = clock;
    }

    /**
     * Takes the next place in time, and says how far away it is.
     *
     * @return empty, and no place is taken, if it would not be before the end
     */
    synchronized Optional<Duration> untilTurn(Instant end) {
        Instant now = clock.instant();
        Instant turn = free.isAfter(now) ? free : now;
        if (!turn.isBefore(end)) {
            return Optional.empty();
        }
        free = turn.plus(apart);
        return Optional.of(Duration.between(now, turn));
    }
}
