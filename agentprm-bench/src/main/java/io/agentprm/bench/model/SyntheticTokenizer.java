package io.agentprm.bench.model;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A byte-level {@code tokenizer.json} with any number of tokens: three special ones, the bytes, all
 * pairs of bytes, then pairs with a third byte. It stands for a published one of that size.
 */
final class SyntheticTokenizer {
    private static final List<String> SPECIALS = List.of("<|pad|>", "<|begin|>", "<|end|>");
    private static final int BYTES = 256;

    private SyntheticTokenizer() {}

    static void write(Path file, int size) throws IOException {
        List<String> tokens = new ArrayList<>(SPECIALS);
        List<String> merges = new ArrayList<>();
        List<String> bytes = alphabet();
        tokens.addAll(bytes);
        List<String> longer = bytes;
        while (tokens.size() < size) {
            List<String> next = new ArrayList<>();
            for (String left : longer) {
                for (String right : bytes) {
                    if (tokens.size() < size) {
                        next.add(left + right);
                        tokens.add(left + right);
                        merges.add("[%s, %s]".formatted(quoted(left), quoted(right)));
                    }
                }
            }
            longer = next;
        }
        try (Writer out = Files.newBufferedWriter(file)) {
            out.write("{\"version\": \"1.0\", \"added_tokens\": [");
            for (int i = 0; i < SPECIALS.size(); i++) {
                out.write(
                        "%s{\"id\": %d, \"content\": %s, \"special\": true}"
                                .formatted(i == 0 ? "" : ", ", i, quoted(SPECIALS.get(i))));
            }
            out.write("], \"normalizer\": null, \"pre_tokenizer\": " + byteLevel());
            out.write(", \"decoder\": " + byteLevel() + ", \"model\": {\"type\": \"BPE\", ");
            out.write("\"vocab\": {");
            for (int i = 0; i < tokens.size(); i++) {
                out.write("%s%s: %d".formatted(i == 0 ? "" : ", ", quoted(tokens.get(i)), i));
            }
            out.write("}, \"merges\": [" + String.join(", ", merges) + "]}}\n");
        }
    }

    private static String byteLevel() {
        return "{\"type\": \"ByteLevel\", \"add_prefix_space\": false, \"use_regex\": true}";
    }

    /** One printable character for each byte (Radford et al. 2019, section 2.2). */
    private static List<String> alphabet() {
        List<String> symbols = new ArrayList<>();
        int next = BYTES;
        for (int b = 0; b < BYTES; b++) {
            boolean printable = (b >= '!' && b <= '~') || (b >= 0xa1 && b <= 0xac) || b >= 0xae;
            symbols.add(Character.toString(printable ? b : next++));
        }
        return symbols;
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
