package io.agentprm.lm.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.IoReasons;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.tokenizer.ByteLevelTokenizer.Merge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The part of the {@code tokenizer.json} format that {@link ByteLevelTokenizer} covers. */
final class TokenizerJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder().build();

    private final Path file;

    private TokenizerJson(Path file) {
        this.file = file;
    }

    static void write(Path file, ByteLevelTokenizer tokenizer) {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("version", "1.0");
        root.putNull("truncation");
        root.putNull("padding");
        tokenizer.specials().stream()
                .sorted()
                .forEach(
                        id ->
                                root.withArray("added_tokens")
                                        .addObject()
                                        .put("id", id)
                                        .put("content", tokenizer.symbols().get(id))
                                        .put("single_word", false)
                                        .put("lstrip", false)
                                        .put("rstrip", false)
                                        .put("normalized", false)
                                        .put("special", true));
        root.putNull("normalizer");
        root.set("pre_tokenizer", preTokenizer(tokenizer.preTokenizer()));
        root.putNull("post_processor");
        root.set("decoder", byteLevel(true));
        root.set("model", model(tokenizer));
        try {
            String json = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root);
            Files.writeString(file, json.replace("\r\n", "\n") + "\n");
        } catch (IOException e) {
            throw new LanguageModelException("Cannot write " + file + ": " + IoReasons.of(e), e);
        }
    }

    /**
     * @throws LanguageModelException if the file cannot be read, or asks for anything else
     */
    static ByteLevelTokenizer read(Path file, TokenRoles roles) {
        TokenizerFile content = TokenizerFile.read(file);
        TokenizerJson format = new TokenizerJson(file);
        List<String> problems = format.problems(content.rest());
        if (!problems.isEmpty()) {
            throw format.wrong(
                    "not a plain byte-level BPE tokenizer: " + String.join("; ", problems));
        }
        return format.read(content, roles);
    }

    /** The same of a file that has been read; empty if it asks for anything else. */
    static Optional<ByteLevelTokenizer> find(Path file, TokenizerFile content, TokenRoles roles) {
        TokenizerJson format = new TokenizerJson(file);
        return format.problems(content.rest()).isEmpty()
                ? Optional.of(format.read(content, roles))
                : Optional.empty();
    }

    private ByteLevelTokenizer read(TokenizerFile content, TokenRoles roles) {
        JsonNode root = content.rest();
        Set<Integer> specials = new HashSet<>();
        root.path("added_tokens").forEach(t -> specials.add(t.path("id").asInt()));
        Symbols symbols = new Symbols(texts(content), specials);
        for (int id = 0; id < symbols.texts().size(); id++) {
            String text = symbols.texts().get(id);
            if (!specials.contains(id) && !ByteAlphabet.isSymbols(text)) {
                throw wrong("token " + id + " '" + text + "' is not byte-level text");
            }
        }
        return new ByteLevelTokenizer(
                cuts(root.path("pre_tokenizer")).get(0),
                symbols,
                rules(content, symbols),
                roles,
                root.path("model").path("ignore_merges").asBoolean());
    }

    private MergeRules rules(TokenizerFile content, Symbols symbols) {
        MergeRules rules = new MergeRules(content.merges());
        for (int merge = 0; merge < content.merges(); merge++) {
            String left = content.left(merge);
            String right = content.right(merge);
            int leftId = symbols.id(left);
            int rightId = symbols.id(right);
            int result = symbols.id(left, right);
            if (Math.min(result, Math.min(leftId, rightId)) == TextTable.NONE) {
                throw wrong(
                        String.format(
                                Locale.ROOT,
                                "merge of '%s' and '%s' uses tokens that the vocabulary lacks",
                                left,
                                right));
            }
            rules.add(leftId, rightId, result);
        }
        return rules;
    }

    /** Texts by id; ids must run from 0 without a gap. */
    private List<String> texts(TokenizerFile content) {
        JsonNode added = content.rest().path("added_tokens");
        int size = content.vocabularySize();
        for (JsonNode token : added) {
            size = Math.max(size, token.path("id").asInt() + 1);
        }
        List<String> out = new ArrayList<>(Collections.nCopies(size, ""));
        List<String> texts = content.texts();
        for (int text = 0; text < texts.size(); text++) {
            int id = content.id(text);
            if (id == TokenizerFile.UNKNOWN) {
                continue;
            }
            if (id < 0 || id >= size || !out.get(id).isEmpty()) {
                throw wrong("token '" + texts.get(text) + "' has the impossible id " + id);
            }
            out.set(id, texts.get(text));
        }
        for (JsonNode token : added) {
            out.set(token.path("id").asInt(), token.path("content").asText());
        }
        int gap = out.indexOf("");
        if (gap >= 0) {
            throw wrong("no token has the id " + gap);
        }
        return out;
    }

    private List<String> problems(JsonNode root) {
        List<String> out = new ArrayList<>();
        JsonNode model = root.path("model");
        if (!model.path("type").asText("BPE").equals("BPE")) {
            out.add("model type " + model.path("type"));
        }
        for (String key :
                List.of(
                        "dropout",
                        "unk_token",
                        "continuing_subword_prefix",
                        "end_of_word_suffix")) {
            if (model.hasNonNull(key) && !model.path(key).asText().isEmpty()) {
                out.add("model " + key + " " + model.path(key));
            }
        }
        if (model.path("byte_fallback").asBoolean()) {
            out.add("model byte_fallback");
        }
        if (root.hasNonNull("normalizer")) {
            out.add("a normalizer");
        }
        if (cuts(root.path("pre_tokenizer")).isEmpty()) {
            out.add("pre_tokenizer " + root.path("pre_tokenizer"));
        }
        if (!root.path("decoder").path("type").asText().equals("ByteLevel")) {
            out.add("decoder " + root.path("decoder"));
        }
        for (JsonNode token : root.path("added_tokens")) {
            if (!token.path("special").asBoolean()) {
                out.add("added token " + token.path("content") + ", which is not special");
            }
        }
        return out;
    }

    /** The pre-tokenizer that the node describes; empty if it is none of ours. */
    private static List<PreTokenizer> cuts(JsonNode node) {
        return Arrays.stream(PreTokenizer.values())
                .filter(p -> equivalent(preTokenizer(p), node))
                .toList();
    }

    /** Equal in everything that changes ids; trim_offsets does not. */
    private static boolean equivalent(JsonNode ours, JsonNode theirs) {
        return withoutOffsets(ours).equals(withoutOffsets(theirs));
    }

    private static JsonNode withoutOffsets(JsonNode node) {
        JsonNode copy = node.deepCopy();
        copy.findParents("trim_offsets").forEach(n -> ((ObjectNode) n).remove("trim_offsets"));
        return copy;
    }

    private static ObjectNode preTokenizer(PreTokenizer preTokenizer) {
        if (preTokenizer == PreTokenizer.GPT2) {
            return byteLevel(true);
        }
        ObjectNode sequence = MAPPER.createObjectNode().put("type", "Sequence");
        ObjectNode split = sequence.putArray("pretokenizers").addObject().put("type", "Split");
        split.putObject("pattern").put("Regex", preTokenizer.regex());
        split.put("behavior", "Isolated").put("invert", false);
        sequence.withArray("pretokenizers").add(byteLevel(false));
        return sequence;
    }

    private static ObjectNode byteLevel(boolean useRegex) {
        return MAPPER.createObjectNode()
                .put("type", "ByteLevel")
                .put("add_prefix_space", false)
                .put("trim_offsets", true)
                .put("use_regex", useRegex);
    }

    private static ObjectNode model(ByteLevelTokenizer tokenizer) {
        ObjectNode model = MAPPER.createObjectNode().put("type", "BPE");
        model.putNull("dropout");
        model.putNull("unk_token");
        model.putNull("continuing_subword_prefix");
        model.putNull("end_of_word_suffix");
        model.put("fuse_unk", false).put("byte_fallback", false);
        model.put("ignore_merges", tokenizer.wholePieces());
        ObjectNode vocabulary = model.putObject("vocab");
        for (int id = 0; id < tokenizer.symbols().size(); id++) {
            vocabulary.put(tokenizer.symbols().get(id), id);
        }
        model.putArray("merges");
        for (Merge merge : tokenizer.merges()) {
            model.withArray("merges").addArray().add(merge.left()).add(merge.right());
        }
        return model;
    }

    private LanguageModelException wrong(String what) {
        return new LanguageModelException(file + ": " + what);
    }
}
