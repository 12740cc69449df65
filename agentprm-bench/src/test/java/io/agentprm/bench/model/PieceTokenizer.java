package io.agentprm.bench.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A {@code tokenizer.json} as one of SentencePiece's is converted: BPE over characters, the sign of
 * blanks before each word, bytes for what is not in the text that it is made of.
 */
final class PieceTokenizer {
    private static final String SIGN = "\u2581";

    private final Set<String> tokens = new LinkedHashSet<>(List.of("<unk>", "<s>", "</s>"));
    private final List<String> rules = new ArrayList<>();

    /** Makes tokens of the most frequent neighbours in a text. */
    PieceTokenizer(String text, int joins) {
        for (int b = 0; b < 256; b++) {
            tokens.add("<0x%02X>".formatted(b));
        }
        Map<List<String>, Integer> words = new LinkedHashMap<>();
        for (String word : text.split(" ")) {
            List<String> characters = new ArrayList<>(List.of(SIGN));
            word.codePoints().mapToObj(Character::toString).forEach(characters::add);
            tokens.addAll(characters);
            words.merge(characters, 1, Integer::sum);
        }
        List<String> joined = new ArrayList<>();
        for (int i = 0; i < joins; i++) {
            List<String> pair = mostFrequent(words);
            String token = String.join("", pair);
            if (tokens.add(token)) {
                joined.add(token);
            }
            Map<List<String>, Integer> next = new LinkedHashMap<>();
            words.forEach((word, count) -> next.merge(join(word, pair), count, Integer::sum));
            words = next;
        }
        joined.forEach(this::addRules);
    }

    private static List<String> mostFrequent(Map<List<String>, Integer> words) {
        Map<List<String>, Integer> pairs = new HashMap<>();
        words.forEach(
                (word, count) -> {
                    for (int i = 0; i + 1 < word.size(); i++) {
                        pairs.merge(List.copyOf(word.subList(i, i + 2)), count, Integer::sum);
                    }
                });
        int most = Collections.max(pairs.values());
        return pairs.keySet().stream()
                .filter(pair -> pairs.get(pair) == most)
                .min((a, b) -> a.toString().compareTo(b.toString()))
                .orElseThrow();
    }

    private static List<String> join(List<String> word, List<String> pair) {
        List<String> out = new ArrayList<>();
        for (int i = 0; i < word.size(); i++) {
            boolean here = i + 1 < word.size() && word.subList(i, i + 2).equals(pair);
            out.add(here ? String.join("", pair) : word.get(i));
            i += here ? 1 : 0;
        }
        return out;
    }

    /** Every two tokens that make this one. */
    private void addRules(String token) {
        for (int i = 1; i < token.length(); i++) {
            String left = token.substring(0, i);
            String right = token.substring(i);
            if (tokens.contains(left) && tokens.contains(right)) {
                rules.add("[" + quoted(left) + ", " + quoted(right) + "]");
            }
        }
    }

    int size() {
        return tokens.size();
    }

    Path write(Path file) throws IOException {
        List<String> vocabulary = new ArrayList<>();
        tokens.forEach(token -> vocabulary.add(quoted(token) + ": " + vocabulary.size()));
        String added =
                "{\"id\": %d, \"content\": \"%s\", \"special\": true, \"normalized\": false,"
                        + " \"single_word\": false, \"lstrip\": false, \"rstrip\": false}";
        return Files.writeString(
                file,
                """
                {"version": "1.0", "truncation": null, "padding": null,
                 "added_tokens": [%s, %s, %s],
                 "normalizer": {"type": "Sequence", "normalizers": [
                   {"type": "Prepend", "prepend": "%s"},
                   {"type": "Replace", "pattern": {"String": " "}, "content": "%s"}]},
                 "pre_tokenizer": null, "post_processor": null,
                 "decoder": {"type": "Sequence", "decoders": [
                   {"type": "Replace", "pattern": {"String": "%s"}, "content": " "},
                   {"type": "ByteFallback"}, {"type": "Fuse"},
                   {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
                 "model": {"type": "BPE", "dropout": null, "unk_token": "<unk>",
                   "continuing_subword_prefix": null, "end_of_word_suffix": null,
                   "fuse_unk": true, "byte_fallback": true,
                   "vocab": {%s}, "merges": [%s]}}
                """
                        .formatted(
                                added.formatted(0, "<unk>"),
                                added.formatted(1, "<s>"),
                                added.formatted(2, "</s>"),
                                SIGN,
                                SIGN,
                                SIGN,
                                String.join(", ", vocabulary),
                                String.join(", ", rules)));
    }

    /** As a text in JSON. */
    static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            out.append(c < ' ' || c == '"' || c == '\\' ? "\\u%04x".formatted((int) c) : c);
        }
        return out.append('"').toString();
    }
}
