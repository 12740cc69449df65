package io.agentprm.api.run;

import java.util.random.RandomGenerator;

/**
 * SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) with every derived draw fixed here, so that a
 * seed gives the same numbers on every JDK.
 */
final class SplitMix64 implements RandomGenerator {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    SplitMix64(long seed) {
        this.state = seed;
    }

    static long mix(long value) {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    @Override
    public long nextLong() {
        state += GAMMA;
        return mix(state);
    }

    @Override
    public int nextInt() {
        return (int) (nextLong() >>> 32);
    }

    /** Unbiased by rejection on the top 31 bits. */
    @Override
    public int nextInt(int bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound must be positive, was " + bound);
        }
        int mask = bound - 1;
        int bits = (int) (nextLong() >>> 33);
        if ((bound & mask) == 0) {
            return bits & mask;
        }
        int value = bits % bound;
        while (bits - value + mask < 0) {
            bits = (int) (nextLong() >>> 33);
            value = bits % bound;
        }
        return value;
    }

    @Override
    public int nextInt(int origin, int bound) {
        return origin + nextInt(bound - origin);
    }

    @Override
    public boolean nextBoolean() {
        return nextLong() < 0;
    }

    @Override
    public double nextDouble() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    @Override
    public float nextFloat() {
        return (nextLong() >>> 40) * 0x1.0p-24f;
    }

    /** Box-Muller, one of the two values; {@code StrictMath} for the same bits everywhere. */
    @Override
    public double nextGaussian() {
        double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - nextDouble()));
        return radius * StrictMath.cos(2 * Math.PI * nextDouble());
    }
}
