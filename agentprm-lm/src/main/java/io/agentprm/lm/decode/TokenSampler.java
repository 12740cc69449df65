package io.agentprm.lm.decode;

import io.agentprm.api.policy.Sampling;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Draws one token from a distribution by inversion: one uniform number per token. */
public final class TokenSampler {
    private final float[] table;
    private final int rows;
    private final int width;

    /**
     * @param table log-probabilities and then, if wanted, probabilities, [1 or 2, rows, width]
     */
    public TokenSampler(float[] table, int rows, boolean probabilities) {
        this.table = table;
        this.rows = rows;
        this.width = table.length / (probabilities ? 2 * rows : rows);
    }

    public double logProb(int row, int token) {
        return table[row * width + token];
    }

    private double prob(int row, int token) {
        return Math.exp(logProb(row, token));
    }

    /**
     * Draws a token.
     *
     * @param allowed ids to choose among, ascending; everything where absent
     */
    public int draw(int row, Sampling sampling, Optional<int[]> allowed, RandomGenerator random) {
        if (sampling.temperature() == 0) {
            return best(row, allowed);
        }
        double point = random.nextDouble();
        if (sampling.topP() < 1) {
            return nucleus(row, sampling.topP(), allowed, point);
        }
        return allowed.isPresent() ? among(row, allowed.get(), point) : any(row, point);
    }

    /** The likeliest token, the lowest id among equals. */
    private int best(int row, Optional<int[]> allowed) {
        int best = allowed.map(ids -> ids[0]).orElse(0);
        int count = allowed.map(ids -> ids.length).orElse(width);
        for (int i = 0; i < count; i++) {
            int id = allowed.isPresent() ? allowed.get()[i] : i;
            if (logProb(row, id) > logProb(row, best)) {
                best = id;
            }
        }
        return best;
    }

    private int any(int row, double point) {
        double total = 0;
        int start = (rows + row) * width;
        for (int i = 0; i < width; i++) {
            total += table[start + i];
        }
        double left = point * total;
        int last = 0;
        for (int i = 0; i < width; i++) {
            left -= table[start + i];
            if (left < 0) {
                return i;
            }
            if (table[start + i] > 0) {
                last = i;
            }
        }
        return last;
    }

    /** Relative to the likeliest of them, which keeps very unlikely sets apart. */
    private int among(int row, int[] ids, double point) {
        double top = logProb(row, best(row, Optional.of(ids)));
        double[] weights = new double[ids.length];
        double total = 0;
        for (int i = 0; i < ids.length; i++) {
            weights[i] = Math.exp(logProb(row, ids[i]) - top);
            total += weights[i];
        }
        return invert(ids, weights, point * total);
    }

    private int nucleus(int row, double mass, Optional<int[]> allowed, double point) {
        int[] ids =
                allowed.map(Arrays::stream)
                        .orElseGet(() -> IntStream.range(0, width))
                        .boxed()
                        .sorted(
                                Comparator.comparingDouble((Integer id) -> -logProb(row, id))
                                        .thenComparing(Comparator.naturalOrder()))
                        .mapToInt(Integer::intValue)
                        .toArray();
        double total = Arrays.stream(ids).mapToDouble(id -> prob(row, id)).sum();
        double kept = 0;
        int size = 0;
        double[] weights = new double[ids.length];
        while (size < ids.length && (size == 0 || kept < mass * total)) {
            weights[size] = prob(row, ids[size]);
            kept += weights[size++];
        }
        return invert(Arrays.copyOf(ids, size), weights, point * kept);
    }

    private static int invert(int[] ids, double[] weights, double point) {
        double left = point;
        for (int i = 0; i < ids.length - 1; i++) {
            left -= weights[i];
            if (left < 0) {
                return ids[i];
            }
        }
        return ids[ids.length - 1];
    }
}
