package io.agentprm.lm.decode;

import io.agentprm.api.policy.Sampling;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Draws one token from a distribution by inversion: one uniform number per token. */
public final class TokenSampler {
    /** Ids whose probabilities are summed before one of them is looked for. */
    private static final int BLOCK = 64;

    private final float[] logProbs;
    private final float[] probabilities;
    private final int firstProbability;
    private final int width;

    /**
     * @param table log-probabilities and then, if wanted, probabilities, [1 or 2, rows, width]
     */
    public TokenSampler(float[] table, int rows, boolean probabilities) {
        this(
                table,
                table,
                probabilities ? table.length / 2 : 0,
                probabilities ? table.length / 2 : table.length,
                rows);
    }

    /**
     * @param logProbs log-probabilities, [rows, width]
     * @param probabilities the same as probabilities; empty where every token is drawn from a list
     */
    public TokenSampler(float[] logProbs, float[] probabilities, int rows) {
        this(logProbs, probabilities, 0, logProbs.length, rows);
    }

    private TokenSampler(
            float[] logProbs, float[] probabilities, int firstProbability, int count, int rows) {
        this.logProbs = logProbs;
        this.probabilities = probabilities;
        this.firstProbability = firstProbability;
        this.width = count / rows;
    }

    public double logProb(int row, int token) {
        return logProbs[row * width + token];
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

    /** Whole blocks are passed over by their sums, which are added up faster than one by one. */
    private int any(int row, double point) {
        int start = firstProbability + row * width;
        int end = start + width;
        double[] sums = new double[(width + BLOCK - 1) / BLOCK];
        double total = 0;
        for (int b = 0; b < sums.length; b++) {
            sums[b] = sum(start + b * BLOCK, Math.min(end, start + (b + 1) * BLOCK));
            total += sums[b];
        }
        double left = point * total;
        int block = 0;
        for (int b = 0; b < sums.length; b++) {
            if (sums[b] > 0) {
                block = b;
                if (left < sums[b]) {
                    break;
                }
                left -= sums[b];
            }
        }
        int last = start;
        for (int i = start + block * BLOCK; i < Math.min(end, start + (block + 1) * BLOCK); i++) {
            left -= probabilities[i];
            if (left < 0) {
                return i - start;
            }
            if (probabilities[i] > 0) {
                last = i;
            }
        }
        return last - start;
    }

    private double sum(int from, int to) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int i = from;
        // Four sums at a time: an addition takes four cycles, but one may begin in each.
        for (; i + 3 < to; i += 4) {
            a += probabilities[i];
            b += probabilities[i + 1];
            c += probabilities[i + 2];
            d += probabilities[i + 3];
        }
        for (; i < to; i++) {
            a += probabilities[i];
        }
        return a + b + (c + d);
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
