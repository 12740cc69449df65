package io.agentprm.lm.checkpoint;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * Normal numbers that are the same on every Java platform: Box-Muller on {@link StrictMath} over
 * {@link SplittableRandom}, whose algorithm is fixed by its specification.
 */
final class NormalSource {
    private final SplittableRandom uniform;
    private double spare;
    private boolean hasSpare;

    private NormalSource(long seed) {
        uniform = new SplittableRandom(seed);
    }

    /** A source of its own for each name, so that one tensor's draws do not shift another's. */
    static NormalSource of(long seed, String name) {
        long hash = 0xcbf29ce484222325L ^ seed;
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ b) * 0x100000001b3L;
        }
        return new NormalSource(hash);
    }

    double next() {
        if (hasSpare) {
            hasSpare = false;
            return spare;
        }
        // 1 - u lies in (0, 1], so that the logarithm is finite.
        double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - uniform.nextDouble()));
        double angle = 2 * Math.PI * uniform.nextDouble();
        spare = radius * StrictMath.sin(angle);
        hasSpare = true;
        return radius * StrictMath.cos(angle);
    }
}
