package io.agentprm.env.alfworld.generator;

import java.util.random.RandomGenerator;

/**
 * How often a class occurs in rooms of a kind.
 *
 * @param share share of rooms that have it, in (0, 1]
 * @param mean mean number in those that have it, at least 1
 * @param most largest number seen
 */
record Frequency(double share, double mean, int most) {
    /**
     * A number of instances: none with probability 1 - share, otherwise uniform around the mean and
     * at most the largest number seen.
     */
    int draw(RandomGenerator random) {
        boolean present = random.nextDouble() < share;
        double spread = random.nextDouble() * 2 * (mean - 1);
        int number = Math.min(most, 1 + (int) (spread + random.nextDouble()));
        return present ? number : 0;
    }
}
