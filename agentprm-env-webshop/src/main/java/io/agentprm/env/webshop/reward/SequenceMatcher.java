package io.agentprm.env.webshop.reward;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code difflib.SequenceMatcher(None, a, b).ratio()} of CPython: the longest block that both have,
 * of several the one that starts earliest in a and then in b; and so on to its left and right.
 */
final class SequenceMatcher {
    /**
     * From this length of b on, characters that make up more than one percent of it are no start.
     */
    private static final int AUTOJUNK_FROM = 200;

    private final int[] a;
    private final int[] b;
    private final Map<Integer, List<Integer>> places = new HashMap<>();

    private SequenceMatcher(int[] a, int[] b) {
        this.a = a;
        this.b = b;
        for (int j = 0; j < b.length; j++) {
            places.computeIfAbsent(b[j], c -> new ArrayList<>()).add(j);
        }
        if (b.length >= AUTOJUNK_FROM) {
            int most = b.length / 100 + 1;
            places.values().removeIf(list -> list.size() > most);
        }
    }

    private record Block(int a, int b, int size) {}

    private record Range(int aFrom, int aTo, int bFrom, int bTo) {}

    /** Twice the matching characters over the characters of both; 1 if both are empty. */
    static double ratio(int[] a, int[] b) {
        int length = a.length + b.length;
        return length == 0 ? 1 : 2.0 * new SequenceMatcher(a, b).matches() / length;
    }

    private int matches() {
        int matches = 0;
        Deque<Range> open = new ArrayDeque<>();
        open.push(new Range(0, a.length, 0, b.length));
        while (!open.isEmpty()) {
            Range range = open.pop();
            Block block = longest(range);
            if (block.size() == 0) {
                continue;
            }
            matches += block.size();
            if (range.aFrom() < block.a() && range.bFrom() < block.b()) {
                open.push(new Range(range.aFrom(), block.a(), range.bFrom(), block.b()));
            }
            int aEnd = block.a() + block.size();
            int bEnd = block.b() + block.size();
            if (aEnd < range.aTo() && bEnd < range.bTo()) {
                open.push(new Range(aEnd, range.aTo(), bEnd, range.bTo()));
            }
        }
        return matches;
    }

    private Block longest(Range range) {
        int bestA = range.aFrom();
        int bestB = range.bFrom();
        int size = 0;
        // Length of the common suffix that ends at a place of b, for the character of a before.
        int[] before = new int[b.length + 1];
        for (int i = range.aFrom(); i < range.aTo(); i++) {
            int[] now = new int[b.length + 1];
            for (int j : places.getOrDefault(a[i], List.of())) {
                if (j >= range.bTo()) {
                    break;
                }
                if (j >= range.bFrom()) {
                    int length = before[j] + 1;
                    now[j + 1] = length;
                    if (length > size) {
                        bestA = i - length + 1;
                        bestB = j - length + 1;
                        size = length;
                    }
                }
            }
            before = now;
        }
        // Frequent characters start no block, but they lengthen one.
        while (bestA > range.aFrom() && bestB > range.bFrom() && a[bestA - 1] == b[bestB - 1]) {
            bestA--;
            bestB--;
            size++;
        }
        while (bestA + size < range.aTo()
                && bestB + size < range.bTo()
                && a[bestA + size] == b[bestB + size]) {
            size++;
        }
        return new Block(bestA, bestB, size);
    }
}
