package io.agentprm.env.webshop.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Draws that the generator makes again and again. */
final class Draws {
    private final RandomGenerator random;

    Draws(RandomGenerator random) {
        this.random = random;
    }

    /** True with a probability. */
    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** From 0 to the bound, without it. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    /** Normally distributed around 0. */
    double gaussian() {
        return random.nextGaussian();
    }

    <T> T pick(List<T> items) {
        return items.get(random.nextInt(items.size()));
    }

    /** An index, in proportion to the weights. */
    int index(double... weights) {
        double total = 0;
        for (double weight : weights) {
            total += weight;
        }
        double left = random.nextDouble() * total;
        for (int i = 0; i < weights.length; i++) {
            left -= weights[i];
            if (left < 0) {
                return i;
            }
        }
        return weights.length - 1;
    }

    /**
     * Different items, earlier ones more often: the weight falls with the root of the rank.
     *
     * @param count at most the number of items are drawn
     */
    <T> List<T> frequent(List<T> items, int count) {
        List<T> left = new ArrayList<>(items);
        List<T> drawn = new ArrayList<>();
        while (drawn.size() < count && !left.isEmpty()) {
            double[] weights = new double[left.size()];
            for (int i = 0; i < weights.length; i++) {
                weights[i] = 1 / Math.sqrt(i + 1.0);
            }
            drawn.add(left.remove(index(weights)));
        }
        return drawn;
    }

    /** Different items in their order. */
    <T> List<T> some(List<T> items, int count) {
        List<T> kept = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            if (random.nextDouble() * (items.size() - i) < count - kept.size()) {
                kept.add(items.get(i));
            }
        }
        return kept;
    }
}
