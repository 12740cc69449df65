package io.agentprm.env.webshop.suite;

import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Positions in the shuffled list of goals that make up a split, in order.
 *
 * @param count how many
 * @param inOrder the position of each, from 0 to {@code count - 1}
 */
record Positions(int count, IntUnaryOperator inOrder) {
    /** All from a first to one before a last; they take no memory. */
    static Positions between(int from, int to) {
        return new Positions(to - from, i -> from + i);
    }

    int at(int index) {
        return inOrder.applyAsInt(index);
    }

    Positions where(IntPredicate kept) {
        int[] chosen = IntStream.range(0, count).map(inOrder).filter(kept).toArray();
        return new Positions(chosen.length, i -> chosen[i]);
    }
}
