package io.agentprm.algos.train;

import io.agentprm.api.run.RandomSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;

/** Orders and cuts lists. */
public final class Batches {
    private Batches() {}

    /** The numbers 0 to count - 1 in an order that depends on the stream only (Fisher-Yates). */
    public static int[] permutation(int count, RandomSource random) {
        RandomGenerator generator = random.generator();
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int j = generator.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }

    /** Consecutive runs of so many elements; the last may be shorter. */
    public static <T> List<List<T>> ofCount(List<T> items, int count) {
        List<List<T>> batches = new ArrayList<>();
        for (int i = 0; i < items.size(); i += count) {
            batches.add(items.subList(i, Math.min(items.size(), i + count)));
        }
        return batches;
    }

    /** Consecutive runs of at most so much weight; an element that exceeds it stands alone. */
    public static <T> List<List<T>> ofWeight(List<T> items, ToIntFunction<T> weight, int limit) {
        List<List<T>> batches = new ArrayList<>();
        int start = 0;
        long sum = 0;
        for (int i = 0; i < items.size(); i++) {
            int own = weight.applyAsInt(items.get(i));
            if (i > start && sum + own > limit) {
                batches.add(items.subList(start, i));
                start = i;
                sum = 0;
            }
            sum += own;
        }
        if (start < items.size()) {
            batches.add(items.subList(start, items.size()));
        }
        return batches;
    }
}
