package io.agentprm.lm.gguf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.agentprm.api.IoReasons;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.chat.ChatTemplate;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.ModelFamily;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tokenizer and the chat template of a model directory: byte-level BPE, or one that
 * SentencePiece trained.
 */
final class Vocabulary {
    private static final int NORMAL = 1;
    private static final int UNKNOWN = 2;
    private static final int CONTROL = 3;
    private static final int USER_DEFINED = 4;
    private static final int UNUSED = 5;
    private static final int BYTE = 6;

    /** llama.cpp ends a text at any of these. */
    private static final List<String> ENDS =
            List.of(
                    "tokenizer.ggml.eos_token_id",
                    "tokenizer.ggml.eot_token_id",
                    "tokenizer.ggml.eom_token_id");

    private final ModelDirectory model;
    private final JsonNode root;
    private final Optional<SentencePieces> pieces;
    private final List<String> tokens;
    private final List<Integer> types;

    private Vocabulary(ModelDirectory model, JsonNode root) {
        this.model = model;
        this.root = root;
        this.pieces = SentencePieces.of(root);
        int rows = model.config().vocabSize();
        this.tokens = new ArrayList<>(Collections.nCopies(rows, ""));
        this.types = new ArrayList<>(Collections.nCopies(rows, UNUSED));
    }

    /**
     * @throws LanguageModelException if there is no tokenizer, or it is of another kind
     */
    static Vocabulary of(ModelDirectory model) {
        Path file =
                model.tokenizerFile()
                        .orElseThrow(
                                () ->
                                        new LanguageModelException(
                                                model.path()
                                                        + " has no tokenizer.json, without which"
                                                        + " llama.cpp cannot run a model"));
        Vocabulary vocabulary = new Vocabulary(model, json(file));
        vocabulary.requireKnown(file);
        vocabulary.collect(file);
        return vocabulary;
    }

    private void requireKnown(Path file) {
        String kind = root.path("model").path("type").asText("BPE");
        String decoder = root.path("decoder").path("type").asText();
        boolean byteLevel = kind.equals("BPE") && decoder.equals("ByteLevel");
        if (!byteLevel && pieces.isEmpty()) {
            throw new LanguageModelException(
                    file
                            + " cannot be written as GGUF: only byte-level BPE can, and BPE that"
                            + " has signs for blanks and falls back to bytes as SentencePiece's"
                            + " does, this is "
                            + kind
                            + " with the decoder "
                            + (decoder.isEmpty() ? "none" : decoder));
        }
    }

    private void collect(Path file) {
        for (Map.Entry<String, JsonNode> e : root.path("model").path("vocab").properties()) {
            put(file, e.getValue().asInt(-1), e.getKey(), type(e.getKey(), NORMAL));
        }
        for (JsonNode token : root.path("added_tokens")) {
            put(
                    file,
                    token.path("id").asInt(-1),
                    token.path("content").asText(),
                    type(
                            token.path("content").asText(),
                            token.path("special").asBoolean() ? CONTROL : USER_DEFINED));
        }
        for (int id = 0; id < tokens.size(); id++) {
            if (types.get(id) == UNUSED) {
                tokens.set(id, "[PAD" + id + "]");
            }
        }
    }

    private int type(String text, int otherwise) {
        if (pieces.isEmpty()) {
            return otherwise;
        }
        boolean unknown = pieces.get().unknown().equals(text);
        return unknown ? UNKNOWN : SentencePieces.isByte(text) ? BYTE : otherwise;
    }

    private void put(Path file, int id, String text, int type) {
        if (id < 0 || id >= tokens.size()) {
            throw new LanguageModelException(
                    file
                            + ": token '"
                            + text
                            + "' has the id "
                            + id
                            + ", but the model's vocabulary is "
                            + tokens.size());
        }
        tokens.set(id, text);
        types.set(id, type);
    }

    void describe(Metadata metadata) {
        metadata.text("tokenizer.ggml.model", pieces.isPresent() ? "llama" : "gpt2");
        if (pieces.isEmpty()) {
            PreTokenizers.name(root).ifPresent(name -> metadata.text("tokenizer.ggml.pre", name));
        }
        metadata.texts("tokenizer.ggml.tokens", tokens).numbers("tokenizer.ggml.token_type", types);
        pieces.ifPresentOrElse(
                p -> describe(p, metadata),
                () -> metadata.texts("tokenizer.ggml.merges", merges()));
        ModelConfig config = model.config();
        config.bosTokenId().ifPresent(id -> metadata.number("tokenizer.ggml.bos_token_id", id));
        List<Integer> stops = model.stopTokenIds();
        for (int i = 0; i < Math.min(ENDS.size(), stops.size()); i++) {
            metadata.number(ENDS.get(i), stops.get(i));
        }
        config.padTokenId().ifPresent(id -> metadata.number("tokenizer.ggml.padding_token_id", id));
        metadata.flag("tokenizer.ggml.add_bos_token", startsTexts());
        ChatTemplate.source(ChatTemplate.place(model))
                .ifPresent(source -> metadata.text("tokenizer.chat_template", source));
    }

    private void describe(SentencePieces own, Metadata metadata) {
        metadata.reals("tokenizer.ggml.scores", own.scores(tokens))
                .flag("tokenizer.ggml.add_space_prefix", own.prefixed());
        int unknown = tokens.indexOf(own.unknown());
        if (unknown >= 0) {
            metadata.number("tokenizer.ggml.unknown_token_id", unknown);
        }
    }

    /** Whether llama.cpp cuts texts as this tokenizer does. */
    boolean cutsAlike() {
        return pieces.map(p -> p.cutsAlike(tokens))
                .orElseGet(() -> PreTokenizers.name(root).isPresent());
    }

    private List<String> merges() {
        List<String> out = new ArrayList<>();
        for (JsonNode merge : root.path("model").path("merges")) {
            out.add(
                    merge.isArray()
                            ? merge.path(0).asText() + " " + merge.path(1).asText()
                            : merge.asText());
        }
        return out;
    }

    /** Whether texts begin with the begin of sequence; those of our own models always do. */
    private boolean startsTexts() {
        if (model.config().family() == ModelFamily.AGENTPRM) {
            return model.config().bosTokenId().isPresent();
        }
        Optional<JsonNode> said =
                model.companion("tokenizer_config.json")
                        .map(config -> json(config).path("add_bos_token"))
                        .filter(JsonNode::isBoolean);
        return said.map(JsonNode::asBoolean).orElseGet(() -> starts(root.path("post_processor")));
    }

    private static boolean starts(JsonNode processor) {
        for (JsonNode part : processor.path("processors")) {
            if (starts(part)) {
                return true;
            }
        }
        return processor.path("single").path(0).has("SpecialToken");
    }

    private static JsonNode json(Path file) {
        try {
            return JsonMapper.builder().build().readTree(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new LanguageModelException("Cannot read " + file + ": " + IoReasons.of(e), e);
        }
    }
}
