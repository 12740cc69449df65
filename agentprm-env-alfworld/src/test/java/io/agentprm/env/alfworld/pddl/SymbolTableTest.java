package io.agentprm.env.alfworld.pddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class SymbolTableTest {
    @Test
    void symbolsAreCutOutInLowerCaseHoweverManyThereAre() {
        StringBuilder text = new StringBuilder();
        List<String> words = new ArrayList<>();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 5000; i++) {
                words.add("Mug_" + i % 4000);
                text.append(words.get(words.size() - 1)).append(' ');
            }
        }
        SymbolTable table = new SymbolTable(text.toString(), UnaryOperator.identity());
        int at = 0;
        for (String word : words) {
            assertEquals(word.toLowerCase(Locale.ROOT), table.symbol(at, at + word.length()));
            at += word.length() + 1;
        }
    }

    @Test
    void equalTextIsInternedOnce() {
        List<String> interned = new ArrayList<>();
        SymbolTable table =
                new SymbolTable(
                        "mug mug pan",
                        symbol -> {
                            interned.add(symbol);
                            return symbol;
                        });
        assertSame(table.symbol(0, 3), table.symbol(4, 7));
        assertEquals("pan", table.symbol(8, 11));
        assertEquals(List.of("mug", "pan"), interned);
    }

    @Test
    void letterWhoseLowerCaseIsLongerIsFoundAgain() {
        SymbolTable table = new SymbolTable("İ İ", UnaryOperator.identity());
        assertSame(table.symbol(0, 1), table.symbol(2, 3));
    }
}
