package io.agentprm.lm.gguf;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A tokenizer that SentencePiece trained (Llama 2, Mistral 7B), as a {@code tokenizer.json} has it:
 * BPE over characters, with a sign for blanks, and single bytes for characters that the vocabulary
 * lacks. llama.cpp calls it {@code llama} and knows no merge rules: it joins any two neighbours
 * whose text is a token, those of the highest score first. So the score of a token is its place
 * among the rules, negated.
 */
final class SentencePieces {
    private static final String BLANK = "\u2581";

    private final JsonNode model;
    private final boolean prefixed;
    private final boolean prefixedAlways;
    private final List<String> merged = new ArrayList<>();
    private final Set<List<String>> rules = new HashSet<>();

    private SentencePieces(JsonNode model, boolean prefixed, boolean prefixedAlways) {
        this.model = model;
        this.prefixed = prefixed;
        this.prefixedAlways = prefixedAlways;
        for (JsonNode rule : model.path("merges")) {
            List<String> pair =
                    rule.isArray()
                            ? List.of(rule.path(0).asText(), rule.path(1).asText())
                            : List.of(rule.asText().split(" ", 2));
            rules.add(pair);
            merged.add(String.join("", pair));
        }
    }

    /**
     * What a {@code tokenizer.json} holds; empty if it is of another kind, or changes texts in
     * another way than by signs for blanks.
     */
    static Optional<SentencePieces> of(JsonNode root) {
        JsonNode model = root.path("model");
        List<JsonNode> normalizers = steps(root.path("normalizer"));
        JsonNode cuts = root.path("pre_tokenizer");
        boolean signs = normalizers.stream().anyMatch(SentencePieces::isReplacement);
        boolean prefix = normalizers.stream().anyMatch(SentencePieces::isPrefix);
        boolean known =
                normalizers.stream().allMatch(n -> isReplacement(n) || isPrefix(n))
                        && model.path("type").asText("BPE").equals("BPE")
                        && model.path("byte_fallback").asBoolean();
        if (!known) {
            return Optional.empty();
        }
        if (signs && (cuts.isNull() || cuts.isMissingNode())) {
            return Optional.of(new SentencePieces(model, prefix, true));
        }
        if (normalizers.isEmpty() && isMetaspace(cuts)) {
            boolean begins =
                    !cuts.path("prepend_scheme").asText("always").equals("never")
                            && cuts.path("add_prefix_space").asBoolean(true);
            return Optional.of(new SentencePieces(model, begins, !begins));
        }
        return Optional.empty();
    }

    private static List<JsonNode> steps(JsonNode node) {
        List<JsonNode> out = new ArrayList<>();
        if (node.path("type").asText().equals("Sequence")) {
            node.path("normalizers").forEach(n -> out.addAll(steps(n)));
        } else if (node.isObject()) {
            out.add(node);
        }
        return out;
    }

    private static boolean isReplacement(JsonNode node) {
        return node.path("type").asText().equals("Replace")
                && node.path("pattern").path("String").asText().equals(" ")
                && node.path("content").asText().equals(BLANK);
    }

    private static boolean isPrefix(JsonNode node) {
        return node.path("type").asText().equals("Prepend")
                && node.path("prepend").asText().equals(BLANK);
    }

    private static boolean isMetaspace(JsonNode node) {
        return node.path("type").asText().equals("Metaspace")
                && node.path("replacement").asText().equals(BLANK)
                && !node.path("split").asBoolean(true);
    }

    /** Whether a text begins with a blank that is not there. */
    boolean prefixed() {
        return prefixed;
    }

    /** The token that stands for what nothing else does; empty if there is none. */
    String unknown() {
        return model.path("unk_token").asText("");
    }

    /** Whether a token stands for a byte, as {@code <0x0A>} does. */
    static boolean isByte(String token) {
        return token.matches("<0x[0-9A-F]{2}>");
    }

    /** Of each token; those that no rule makes come after all others. */
    List<Double> scores(List<String> tokens) {
        Map<String, Integer> places = places();
        return tokens.stream()
                .map(token -> -(double) places.getOrDefault(token, places.size()))
                .toList();
    }

    private Map<String, Integer> places() {
        Map<String, Integer> places = new HashMap<>();
        merged.forEach(token -> places.putIfAbsent(token, places.size()));
        return places;
    }

    /**
     * Whether llama.cpp makes the same tokens of a text: rules that make one token stand together,
     * every two tokens whose text is a token have a rule, and a blank is put before every text,
     * also before one that begins with a blank.
     */
    boolean cutsAlike(List<String> tokens) {
        Set<String> known = new HashSet<>(tokens);
        return prefixedAlways
                && places().size() == runs()
                && tokens.stream().allMatch(token -> hasAllRules(token, known));
    }

    private int runs() {
        int runs = 0;
        for (int i = 0; i < merged.size(); i++) {
            runs += i == 0 || !merged.get(i).equals(merged.get(i - 1)) ? 1 : 0;
        }
        return runs;
    }

    private boolean hasAllRules(String token, Set<String> known) {
        for (int i = 1; i < token.length(); i++) {
            String left = token.substring(0, i);
            String right = token.substring(i);
            if (known.contains(left)
                    && known.contains(right)
                    && !rules.contains(List.of(left, right))) {
                return false;
            }
        }
        return true;
    }
}
