package io.agentprm.cli.web;

import io.agentprm.cli.game.Playground;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Everyone who plays. There is room for a few; who has not been seen for half an hour makes room
 * for others, and so does who has only looked: any page can make a browser ask for ours, and each
 * such request comes from somebody new. Thread-safe.
 */
final class Visitors implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofMinutes(30);

    private final Playground playground;
    private final int room;
    private final Clock clock;
    private final Supplier<String> secrets;
    private final Map<String, Known> known = new HashMap<>();

    /** A visitor and when it was last seen. */
    private record Known(Visitor visitor, Instant seen) {}

    /**
     * Opens the door.
     *
     * @param room most visitors at a time
     * @param secrets texts that nobody can guess
     */
    Visitors(Playground playground, int room, Clock clock, Supplier<String> secrets) {
        this.playground = playground;
        this.room = room;
        this.clock = clock;
        this.secrets = secrets;
    }

    /** Who has that key. */
    synchronized Optional<Visitor> with(String key) {
        return Optional.ofNullable(
                        known.computeIfPresent(
                                key, (k, old) -> new Known(old.visitor(), clock.instant())))
                .map(Known::visitor);
    }

    /** Lets somebody in and tells the key; empty if there is no room. */
    synchronized Optional<String> welcome() {
        if (known.size() >= room) {
            known.entrySet().stream()
                    .filter(one -> isAway(one.getValue()) || one.getValue().visitor().isNew())
                    .min(Comparator.comparing(one -> one.getValue().seen()))
                    .map(Map.Entry::getKey)
                    .ifPresent(key -> known.remove(key).visitor().close());
        }
        if (known.size() >= room) {
            return Optional.empty();
        }
        String key = secrets.get();
        known.put(key, new Known(new Visitor(playground, secrets.get()), clock.instant()));
        return Optional.of(key);
    }

    private boolean isAway(Known one) {
        return one.seen().plus(PATIENCE).isBefore(clock.instant());
    }

    @Override
    public synchronized void close() {
        known.values().forEach(one -> one.visitor().close());
        known.clear();
    }
}
