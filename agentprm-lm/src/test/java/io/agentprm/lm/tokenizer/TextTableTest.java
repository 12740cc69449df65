package io.agentprm.lm.tokenizer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void aTextIsFoundWholeAndInTwoPiecesAndWithinAnArray() {
        List<String> texts = texts(5000);
        TextTable table = new TextTable(1);
        for (int i = 0; i < texts.size(); i++) {
            table.put(texts.get(i), i);
        }
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i);
            assertEquals(i, table.get(text), text);
            for (int cut = 0; cut <= text.length(); cut++) {
                assertEquals(i, table.get(text.substring(0, cut), text.substring(cut)), text);
            }
            char[] around = ("ab" + text + "c").toCharArray();
            assertEquals(i, table.get(around, 2, text.length()), text);
        }
    }

    @Test
    void whatWasNotAddedHasNoNumber() {
        TextTable table = new TextTable(1);
        for (String text : texts(5000)) {
            table.put(text, 7);
        }
        for (String other : List.of("", "xyz", "Ġxyz", "abababz")) {
            assertEquals(TextTable.NONE, table.get(other), other);
            assertEquals(TextTable.NONE, table.get(other, ""), other);
            assertEquals(TextTable.NONE, table.get(other.toCharArray(), 0, other.length()), other);
        }
    }

    /** Many of them with the hash code of another one: "Aa" and "BB" have the same. */
    private static List<String> texts(int count) {
        Random random = new Random(1);
        String[] parts = {"Aa", "BB", "Ġ", "ab", "é"};
        Set<String> texts = new LinkedHashSet<>();
        while (texts.size() < count) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(10); i >= 0; i--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            texts.add(text.toString());
        }
        return new ArrayList<>(texts);
    }
}
