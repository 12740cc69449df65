package io.agentprm.lm.jinja;

import java.util.function.IntPredicate;

/** What Python calls white space, which is more than Java does. */
final class Blanks {
    private Blanks() {}

    static boolean isBlank(int c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == 0x85;
    }

    static String strip(String text) {
        return stripTrailing(stripLeading(text));
    }

    static String stripLeading(String text) {
        return stripLeading(text, Blanks::isBlank);
    }

    static String stripTrailing(String text) {
        return stripTrailing(text, Blanks::isBlank);
    }

    static String stripLeading(String text, IntPredicate dropped) {
        int from = 0;
        while (from < text.length() && dropped.test(text.charAt(from))) {
            from++;
        }
        return text.substring(from);
    }

    static String stripTrailing(String text, IntPredicate dropped) {
        int to = text.length();
        while (to > 0 && dropped.test(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(0, to);
    }
}
