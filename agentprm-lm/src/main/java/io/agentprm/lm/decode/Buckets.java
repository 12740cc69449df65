package io.agentprm.lm.decode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Prompts that are computed together. */
public final class Buckets {
    /** Up to so many tokens, prompts run together whatever the others miss. */
    private static final int SHORT = 32;

    private Buckets() {}

    /**
     * Numbers of prompts that miss about equally many tokens of their caches, each bucket in the
     * order of slots. A prompt that misses nothing is in none.
     *
     * @param missing tokens that each prompt misses
     * @param slots of the prompts' caches
     * @param maxTokens bound of a bucket's padded tokens, unless it is one prompt
     */
    public static List<int[]> of(int[] missing, int[] slots, int maxTokens) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < missing.length; i++) {
            if (missing[i] > 0) {
                order.add(i);
            }
        }
        order.sort(Comparator.comparingInt((Integer i) -> missing[i]).reversed());
        List<int[]> out = new ArrayList<>();
        int start = 0;
        while (start < order.size()) {
            int width = missing[order.get(start)];
            int end = start + 1;
            while (end < order.size()
                    && (end + 1 - start) * (long) width <= maxTokens
                    && (width <= SHORT || 2 * missing[order.get(end)] > width)) {
                end++;
            }
            out.add(
                    order.subList(start, end).stream()
                            .sorted(Comparator.comparingInt(i -> slots[i]))
                            .mapToInt(i -> i)
                            .toArray());
            start = end;
        }
        return out;
    }
}
