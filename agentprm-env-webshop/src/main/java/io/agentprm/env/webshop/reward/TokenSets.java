package io.agentprm.env.webshop.reward;

import io.agentprm.env.webshop.python.PythonText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * {@code fuzz.token_set_ratio} of thefuzz 0.19.0: how much of their words two texts share, from 0
 * to 100. If all words of one are in the other, that is 100.
 */
public final class TokenSets {
    private TokenSets() {}

    /** The ratio of two texts. */
    public static int ratio(String one, String other, Similarity similarity) {
        TreeSet<String> a = words(one);
        TreeSet<String> b = words(other);
        if (a.isEmpty() || b.isEmpty()) {
            return 0;
        }
        List<String> both = new ArrayList<>();
        List<String> onlyA = new ArrayList<>();
        for (String word : a) {
            (b.contains(word) ? both : onlyA).add(word);
        }
        b.removeAll(both);
        String shared = String.join(" ", both);
        String first = (shared + " " + String.join(" ", onlyA)).strip();
        String second = (shared + " " + String.join(" ", b)).strip();
        int best = Math.max(score(shared, first, similarity), score(shared, second, similarity));
        return best == 100 ? best : Math.max(best, score(first, second, similarity));
    }

    /** Different words in order: no Latin-1 letters beyond ASCII, no punctuation, lower case. */
    private static TreeSet<String> words(String text) {
        StringBuilder plain = new StringBuilder();
        text.codePoints()
                .filter(c -> c < 0x80 || c > 0xFF)
                .forEach(c -> plain.appendCodePoint(isWordCharacter(c) ? c : ' '));
        TreeSet<String> words = new TreeSet<>(PythonText.BY_CODE_POINT);
        for (String word : PythonText.lower(plain.toString()).split(" ")) {
            if (!word.isEmpty()) {
                words.add(word);
            }
        }
        return words;
    }

    /** What Python's {@code \w} matches: letters, numbers of every kind, and the underscore. */
    private static boolean isWordCharacter(int c) {
        if (c == '_' || Character.isLetterOrDigit(c)) {
            return true;
        }
        int type = Character.getType(c);
        return type == Character.LETTER_NUMBER || type == Character.OTHER_NUMBER;
    }

    private static int score(String a, String b, Similarity similarity) {
        if (a.equals(b)) {
            return 100;
        }
        if (a.isEmpty() || b.isEmpty()) {
            return 0;
        }
        int[] left = a.codePoints().toArray();
        int[] right = b.codePoints().toArray();
        double ratio =
                similarity == Similarity.DIFFLIB
                        ? SequenceMatcher.ratio(left, right)
                        : 2.0 * commonSubsequence(left, right) / (left.length + right.length);
        return (int) Math.rint(100 * ratio);
    }

    private static int commonSubsequence(int[] a, int[] b) {
        int[] longest = new int[b.length + 1];
        for (int c : a) {
            int diagonal = 0;
            for (int j = 0; j < b.length; j++) {
                int above = longest[j + 1];
                longest[j + 1] = c == b[j] ? diagonal + 1 : Math.max(above, longest[j]);
                diagonal = above;
            }
        }
        return Arrays.stream(longest).max().orElse(0);
    }
}
