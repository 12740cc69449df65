package io.agentprm.env.alfworld.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** Items with how often each was counted, in a fixed order. */
record Weighted<T>(List<Entry<T>> entries) {
    record Entry<T>(T item, double weight) {}

    Weighted {
        entries = List.copyOf(entries);
    }

    Weighted<T> where(Predicate<T> kept) {
        List<Entry<T>> left = new ArrayList<>();
        for (Entry<T> entry : entries) {
            if (kept.test(entry.item())) {
                left.add(entry);
            }
        }
        return new Weighted<>(left);
    }

    /** One item, drawn in proportion to the weights; empty if there is none to draw. */
    Optional<T> draw(RandomGenerator random) {
        double total = 0;
        for (Entry<T> entry : entries) {
            total += entry.weight();
        }
        double left = random.nextDouble() * total;
        for (Entry<T> entry : entries) {
            left -= entry.weight();
            if (left < 0) {
                return Optional.of(entry.item());
            }
        }
        return entries.isEmpty()
                ? Optional.empty()
                : Optional.of(entries.get(entries.size() - 1).item());
    }
}
