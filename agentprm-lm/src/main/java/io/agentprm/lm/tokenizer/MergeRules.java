package io.agentprm.lm.tokenizer;

import java.util.Arrays;

/**
 * Merge rules by the ids of the two tokens that they join, in order of precedence. A published
 * vocabulary has hundreds of thousands, so they lie in arrays (open addressing) and not in objects.
 */
final class MergeRules {
    /** Instead of a rank, where no rule joins two tokens. */
    static final int NONE = -1;

    private final long[] pairs;
    private final int[] results;
    private final int[] ranks;
    private final int shift;
    private int count;

    /**
     * @param most as many rules as may be added
     */
    MergeRules(int most) {
        int bits = 64 - Long.numberOfLeadingZeros(2L * most + 1);
        pairs = new long[most];
        results = new int[most];
        ranks = new int[1 << bits];
        Arrays.fill(ranks, NONE);
        shift = 64 - bits;
    }

    /** Adds a rule behind all others, unless there is one for these two already. */
    void add(int left, int right, int result) {
        long pair = ByteLevelTokenizer.pair(left, right);
        int place = place(pair);
        if (ranks[place] == NONE) {
            ranks[place] = count;
            pairs[count] = pair;
            results[count++] = result;
        }
    }

    /** How many rules there are. */
    int size() {
        return count;
    }

    /** The place of a pair's rule in the order, from 0; or {@link #NONE}. */
    int rank(long pair) {
        return ranks[place(pair)];
    }

    /** The left token of the rule of that rank. */
    int left(int rank) {
        return (int) (pairs[rank] >>> 32);
    }

    /** The right token of the rule of that rank. */
    int right(int rank) {
        return (int) pairs[rank];
    }

    /** The token that the rule of that rank makes. */
    int result(int rank) {
        return results[rank];
    }

    /** Where the pair is, or else the free place where it belongs. At most half are taken. */
    private int place(long pair) {
        int place = (int) (pair * 0x9E3779B97F4A7C15L >>> shift);
        while (ranks[place] != NONE && pairs[ranks[place]] != pair) {
            place = place + 1 & ranks.length - 1;
        }
        return place;
    }
}
