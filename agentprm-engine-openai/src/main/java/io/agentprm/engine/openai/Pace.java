package io.agentprm.engine.openai;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

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

    /** Takes the next place in time, and says how far away it is. */
    synchronized Duration untilTurn() {
        if (apart.isZero()) {
            return Duration.ZERO;
        }
        Instant now = clock.instant();
        Instant turn = free.isAfter(now) ? free : now;
        free = turn.plus(apart);
        return Duration.between(now, turn);
    }
}
