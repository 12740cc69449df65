package io.agentprm.env.webshop.reward;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts titles much as spaCy's English tokenizer does: punctuation and possessives come off the ends
 * of words, units off numbers, and words are parted at hyphens, commas and slashes between letters.
 */
final class TitleTokens {
    private static final String PUNCTUATION = "[](){}*%$£€¥&,;:!?…\"'“”‘’`«»#<>|~-–—/+。，、；：？！（）【】";

    /** A model number keeps its sign: {@code A#}. */
    private static final String AT_THE_END = PUNCTUATION.replace("#", "");

    private static final Pattern WITHIN =
            Pattern.compile(
                    "(?<=\\p{L})[,;:?!](?=\\p{L})"
                            + "|(?<=\\p{L})(?:--|[-–—~])(?=\\p{L})"
                            + "|(?<=[\\p{L}0-9])[:<>=/](?=\\p{L})"
                            + "|(?<=[0-9])[+\\-*^](?=[0-9-])"
                            + "|(?<=\\p{Ll})\\.(?=\\p{Lu})"
                            + "|\\.\\.+|…");
    private static final Pattern UNIT =
            Pattern.compile(
                    "(?<=[0-9])(?:k?m²?|[dcn]m|mm|ha|[km]?g|µg|t|m/s|km/h|mph|hPa|Pa|[mkgt]b|[MKGT]B?)$");
    private static final Pattern POSSESSIVE = Pattern.compile("(?<=\\p{L})['’][sS]$");
    private static final Pattern ABBREVIATION = Pattern.compile("(?:\\p{L}\\.)+");

    private TitleTokens() {}

    static String[] of(String title) {
        List<String> tokens = new ArrayList<>();
        for (String word : title.split("\\s+")) {
            cut(word, tokens);
        }
        return tokens.toArray(String[]::new);
    }

    private static void cut(String word, List<String> tokens) {
        int from = 0;
        while (from < word.length() && PUNCTUATION.indexOf(word.charAt(from)) >= 0) {
            tokens.add(word.substring(from, ++from));
        }
        String rest = word.substring(from);
        Deque<String> ends = new ArrayDeque<>();
        for (int end = endOf(rest); end < rest.length(); end = endOf(rest)) {
            ends.push(rest.substring(end));
            rest = rest.substring(0, end);
        }
        split(rest, tokens);
        tokens.addAll(ends);
    }

    /** Where the last part that comes off begins; the length if nothing does. */
    private static int endOf(String word) {
        if (word.isEmpty()) {
            return 0;
        }
        int last = word.length() - 1;
        if (comesOff(word.charAt(last)) || endsASentence(word)) {
            return last;
        }
        for (Pattern pattern : List.of(POSSESSIVE, UNIT)) {
            Matcher end = pattern.matcher(word);
            if (end.find()) {
                return end.start();
            }
        }
        return word.length();
    }

    private static boolean endsASentence(String word) {
        if (word.length() < 2 || !word.endsWith(".") || ABBREVIATION.matcher(word).matches()) {
            return false;
        }
        char before = word.charAt(word.length() - 2);
        return Character.isLowerCase(before) || Character.isDigit(before) || comesOff(before);
    }

    private static boolean comesOff(char c) {
        return AT_THE_END.indexOf(c) >= 0 || Character.getType(c) == Character.OTHER_SYMBOL;
    }

    private static void split(String word, List<String> tokens) {
        Matcher within = WITHIN.matcher(word);
        int at = 0;
        while (within.find()) {
            if (within.start() > at) {
                tokens.add(word.substring(at, within.start()));
            }
            tokens.add(within.group());
            at = within.end();
        }
        if (at < word.length()) {
            tokens.add(word.substring(at));
        }
    }
}
