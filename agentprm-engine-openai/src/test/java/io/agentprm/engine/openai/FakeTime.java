package io.agentprm.engine.openai;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** A clock that stands still but for what is slept. */
final class FakeTime extends Clock implements Sleeper {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final List<Duration> slept = new ArrayList<>();

    @Override
    public void sleep(Duration time) {
        slept.add(time);
        pass(time);
    }

    void pass(Duration time) {
        now = now.plus(time);
    }

    List<Duration> slept() {
        return slept;
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("one zone is enough");
    }
}
