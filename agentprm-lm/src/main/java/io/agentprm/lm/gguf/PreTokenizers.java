package io.agentprm.lm.gguf;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ways of cutting text into pieces that llama.cpp has names for: it cuts by its own code, so a
 * file can only name one.
 */
final class PreTokenizers {
    private static final String GPT2 = "byte level";
    private static final String DIGITS = "digits";

    private static final Map<List<String>, String> NAMES =
            Map.of(
                    List.of(GPT2), "gpt-2",
                    List.of(DIGITS, GPT2), "smollm",
                    List.of(
                                    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}|"
                                            + " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"),
                            "llama-bpe",
                    List.of(
                                    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}|"
                                            + " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"),
                            "qwen2",
                    List.of(
                                    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+|"
                                            + "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*|"
                                            + "\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"),
                            "tekken");

    /** Those with which llama.cpp takes a piece that is a token as it is, whatever the merges. */
    private static final List<String> WHOLE_PIECES = List.of("llama-bpe", "tekken");

    private PreTokenizers() {}

    /**
     * The name of what a {@code tokenizer.json} asks for; empty where llama.cpp has none.
     *
     * @param root the whole file
     */
    static Optional<String> name(JsonNode root) {
        boolean wholePieces = root.path("model").path("ignore_merges").asBoolean();
        return Optional.ofNullable(NAMES.get(steps(root.path("pre_tokenizer"))))
                .filter(name -> WHOLE_PIECES.contains(name) == wholePieces);
    }

    /** What is done one after the other; what is not known stands for itself. */
    private static List<String> steps(JsonNode node) {
        List<String> out = new ArrayList<>();
        switch (node.path("type").asText()) {
            case "Sequence" -> node.path("pretokenizers").forEach(n -> out.addAll(steps(n)));
            case "ByteLevel" -> {
                if (node.path("add_prefix_space").asBoolean()) {
                    out.add(node.toString());
                }
                if (node.path("use_regex").asBoolean(true)) {
                    out.add(GPT2);
                }
            }
            case "Digits" ->
                    out.add(node.path("individual_digits").asBoolean() ? DIGITS : node.toString());
            case "Split" -> {
                boolean plain =
                        node.path("behavior").asText().equals("Isolated")
                                && !node.path("invert").asBoolean();
                out.add(plain ? node.path("pattern").path("Regex").asText() : node.toString());
            }
            default -> out.add(node.toString());
        }
        return out;
    }
}
