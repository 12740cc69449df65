package io.agentprm.api.run;

import io.agentprm.api.Stable;
import java.util.random.RandomGenerator;

/**
 * A point in a tree of random streams. Draws are keyed, never shared: {@code
 * source.derive("rollout").derive(taskId) .derive(episode)} names a stream whose numbers depend on
 * the root seed and on that path only, not on what other threads or tasks drew before. Immutable
 * and thread-safe.
 */
@Stable(since = "1.0")
public final class RandomSource {
    private final long key;

    private RandomSource(long key) {
        this.key = key;
    }

    /** The root of a tree. */
    public static RandomSource of(long seed) {
        return new RandomSource(SplitMix64.mix(seed + 0x632BE59BD9B4E019L));
    }

    /** The child stream of that name. */
    public RandomSource derive(String name) {
        long hash = 0xCBF29CE484222325L;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * 0x100000001B3L;
        }
        return child(hash, 0x5DEECE66DL);
    }

    /** The child stream of that number. */
    public RandomSource derive(long number) {
        return child(number, 0x2545F4914F6CDD1DL);
    }

    private RandomSource child(long part, long kind) {
        return new RandomSource(SplitMix64.mix(SplitMix64.mix(key ^ kind) + SplitMix64.mix(part)));
    }

    /** A fresh generator at the start of this stream; every call starts again. Not thread-safe. */
    public RandomGenerator generator() {
        return new SplitMix64(key);
    }

    /** A seed drawn from this stream, for code that wants a number. */
    public long seed() {
        return key;
    }
}
