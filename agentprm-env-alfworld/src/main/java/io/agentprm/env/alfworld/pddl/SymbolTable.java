package io.agentprm.env.alfworld.pddl;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * The symbols of one text by the places where they stand. A text repeats a few hundred thousands of
 * times: only the first time is one cut out, put in lower case and interned.
 */
final class SymbolTable {
    private final char[] text;
    private final UnaryOperator<String> intern;
    private int[] starts = new int[2048];
    private int[] ends = new int[2048];
    private String[] symbols = new String[2048];
    private int size;

    SymbolTable(String text, UnaryOperator<String> intern) {
        this.text = text.toCharArray();
        this.intern = intern;
    }

    /** The symbol between two places of the text. */
    String symbol(int start, int end) {
        int slot = slot(start, end);
        if (symbols[slot] == null) {
            if (2 * ++size > symbols.length) {
                grow();
                slot = slot(start, end);
            }
            starts[slot] = start;
            ends[slot] = end;
            symbols[slot] =
                    intern.apply(new String(text, start, end - start).toLowerCase(Locale.ROOT));
        }
        return symbols[slot];
    }

    /** Where a symbol is, or is to be put. */
    private int slot(int start, int end) {
        int hash = 0;
        for (int i = start; i < end; i++) {
            hash = 31 * hash + text[i];
        }
        int mask = symbols.length - 1;
        int slot = (hash ^ (hash >>> 15)) & mask;
        while (symbols[slot] != null && !isAt(slot, start, end)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private boolean isAt(int slot, int start, int end) {
        return Arrays.equals(text, start, end, text, starts[slot], ends[slot]);
    }

    private void grow() {
        int[] oldStarts = starts;
        int[] oldEnds = ends;
        String[] oldSymbols = symbols;
        starts = new int[2 * oldStarts.length];
        ends = new int[2 * oldEnds.length];
        symbols = new String[2 * oldSymbols.length];
        for (int i = 0; i < oldSymbols.length; i++) {
            if (oldSymbols[i] != null) {
                int slot = slot(oldStarts[i], oldEnds[i]);
                starts[slot] = oldStarts[i];
                ends[slot] = oldEnds[i];
                symbols[slot] = oldSymbols[i];
            }
        }
    }
}
