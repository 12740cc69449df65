package io.agentprm.env.alfworld.engine;

/** Sets of small numbers in slices of one array of words. */
final class Bits {
    private Bits() {}

    static int words(int size) {
        return Math.max(1, (size + Long.SIZE - 1) / Long.SIZE);
    }

    static void set(long[] words, int from, int bit) {
        words[from + (bit >> 6)] |= 1L << bit;
    }

    static void clear(long[] words, int from, int bit) {
        words[from + (bit >> 6)] &= ~(1L << bit);
    }

    static boolean get(long[] words, int from, int bit) {
        return (words[from + (bit >> 6)] >>> bit & 1) != 0;
    }
}
