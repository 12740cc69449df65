package io.agentprm.lm.text;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Special tokens that a text may spell. Text from outside is protected first: a mark inside each
 * spelled token keeps it from being taken for one, whatever a template does to the text, and is
 * gone from what is encoded.
 */
final class SpelledTokens {
    /** A code point that Unicode keeps free for uses like this one. */
    private static final String MARK = "\uFDD0";

    private final Map<String, Integer> ids;
    private final List<String> longestFirst;
    private final Set<Character> beginnings;

    SpelledTokens(Map<String, Integer> ids) {
        this.ids = ids;
        this.longestFirst =
                ids.keySet().stream()
                        .sorted(Comparator.comparing(String::length).reversed())
                        .toList();
        this.beginnings =
                longestFirst.stream().map(t -> t.charAt(0)).collect(Collectors.toUnmodifiableSet());
    }

    String protect(String text) {
        String out = text.replace(MARK, MARK + MARK);
        for (String token : longestFirst) {
            out = out.replace(token, token.charAt(0) + MARK + token.substring(1));
        }
        return out;
    }

    private static String original(String text) {
        return text.replaceAll(MARK + "(" + MARK + "?)", "$1");
    }

    /** The token that a text starts with. */
    Optional<String> startOf(String text) {
        return at(text, 0);
    }

    private Optional<String> at(String text, int place) {
        return place < text.length() && beginnings.contains(text.charAt(place))
                ? longestFirst.stream().filter(token -> text.startsWith(token, place)).findFirst()
                : Optional.empty();
    }

    int[] encode(String text, Function<String, int[]> tokens) {
        TokenBuffer out = new TokenBuffer();
        int from = 0;
        for (int place = 0; place < text.length(); ) {
            Optional<String> token = at(text, place);
            if (token.isEmpty()) {
                place++;
                continue;
            }
            raw(text.substring(from, place), tokens, out);
            out.add(ids.get(token.get()));
            place += token.get().length();
            from = place;
        }
        raw(text.substring(from), tokens, out);
        return out.toArray();
    }

    private static void raw(String text, Function<String, int[]> tokens, TokenBuffer out) {
        if (!text.isEmpty()) {
            out.add(tokens.apply(original(text)));
        }
    }
}
