package io.agentprm.env.alfworld.engine;

import java.util.Arrays;
import java.util.List;

/** The admissible commands of a compiled game, sorted, with what each one means. */
final class CommandList {
    private static final Verb[] VERBS = Verb.values();
    private static final int BITS = 12;
    private static final int MASK = (1 << BITS) - 1;

    /** Objects and receptacles must be fewer than this. */
    static final int LIMIT = 1 << BITS;

    private String[] texts = new String[64];
    private int[] meanings = new int[64];
    private int size;
    private List<String> sealed = List.of();

    void clear() {
        size = 0;
    }

    void add(String text, Verb verb, int first, int second) {
        if (size == texts.length) {
            texts = Arrays.copyOf(texts, 2 * size);
            meanings = Arrays.copyOf(meanings, 2 * size);
        }
        texts[size] = text;
        meanings[size++] = (verb.ordinal() << 2 * BITS) | (first << BITS) | second;
    }

    /** The list is complete; it stays as it is while this one is filled anew. */
    void seal() {
        sealed = List.of(Arrays.copyOf(texts, size));
    }

    List<String> texts() {
        return sealed;
    }

    /** Place of a command, negative if it is not there. */
    int find(String command) {
        return Arrays.binarySearch(texts, 0, size, command);
    }

    Verb verb(int index) {
        return VERBS[meanings[index] >>> 2 * BITS];
    }

    int first(int index) {
        return meanings[index] >>> BITS & MASK;
    }

    int second(int index) {
        return meanings[index] & MASK;
    }
}
