package io.agentprm.env.alfworld.engine;

import java.util.Comparator;

/** How commands are compared: as the reference engine does, which is written in Python. */
final class CommandText {
    /** By code point; differs from the order of strings only beyond the basic plane. */
    static final Comparator<String> ORDER = CommandText::compare;

    private CommandText() {}

    /** The text without white space around it, where white space is what Python takes for it. */
    static String strip(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && isSpace(text.charAt(start))) {
            start++;
        }
        while (start < end && isSpace(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    private static boolean isSpace(char c) {
        return c <= ' '
                ? c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F)
                : c >= 0x80 && (c == 0x85 || Character.isSpaceChar(c));
    }

    private static int compare(String left, String right) {
        int length = Math.min(left.length(), right.length());
        for (int i = 0; i < length; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                boolean pairA = Character.isSurrogate(a);
                boolean pairB = Character.isSurrogate(b);
                return pairA == pairB ? Character.compare(a, b) : pairA ? 1 : -1;
            }
        }
        return Integer.compare(left.length(), right.length());
    }
}
