package io.agentprm.lm.tokenizer;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.api.lm.Tokenizer;
import io.agentprm.lm.LanguageModelException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Any {@code tokenizer.json}, through the Hugging Face library. Truncation and padding are off
 * whatever the file says; special tokens are neither added nor recognised in text. Holds native
 * memory until it is closed.
 */
final class NativeTokenizer implements Tokenizer, AutoCloseable {
    private final HuggingFaceTokenizer delegate;
    private final List<String> specials;
    private final int vocabularySize;
    private final TokenRoles roles;

    private NativeTokenizer(
            HuggingFaceTokenizer delegate,
            List<String> specials,
            int vocabularySize,
            TokenRoles roles) {
        this.delegate = delegate;
        this.specials = specials;
        this.vocabularySize = vocabularySize;
        this.roles = roles;
    }

    static NativeTokenizer open(Path file, TokenizerFile content, TokenRoles roles) {
        List<String> specials = new ArrayList<>();
        // A vocabulary that is no object is among the rest.
        int rest = content.rest().path("model").path("vocab").size();
        int size = Math.max(content.vocabularySize(), rest);
        for (JsonNode token : content.rest().path("added_tokens")) {
            size = Math.max(size, token.path("id").asInt() + 1);
            if (token.path("special").asBoolean()) {
                specials.add(token.path("content").asText());
            }
        }
        try {
            HuggingFaceTokenizer delegate =
                    HuggingFaceTokenizer.builder()
                            .optTokenizerPath(file)
                            .optTruncation(false)
                            .optPadding(false)
                            .optAddSpecialTokens(false)
                            .build();
            return new NativeTokenizer(delegate, List.copyOf(specials), size, roles);
        } catch (IOException | IllegalArgumentException | IllegalStateException e) {
            throw new LanguageModelException(
                    file + " is not a tokenizer that can be read: " + e.getMessage(), e);
        }
    }

    @Override
    public int[] encode(String text) {
        IntList out = new IntList(text.length() / 3 + 8);
        int from = 0;
        for (int cut = nextCut(text, from); cut > 0; cut = nextCut(text, from)) {
            out.addAll(encodeRaw(text.substring(from, cut)));
            from = cut;
        }
        out.addAll(encodeRaw(text.substring(from)));
        return out.toArray();
    }

    @Override
    public String decode(int[] ids) {
        for (int id : ids) {
            if (id < 0 || id >= vocabularySize) {
                throw new LanguageModelException(
                        "Token id " + id + " is outside of the vocabulary of " + vocabularySize);
            }
        }
        return delegate.decode(Arrays.stream(ids).asLongStream().toArray(), true);
    }

    @Override
    public int vocabularySize() {
        return vocabularySize;
    }

    @Override
    public int beginOfSequence() {
        return roles.beginOfSequence();
    }

    @Override
    public int endOfTurn() {
        return roles.endOfTurn();
    }

    @Override
    public int padding() {
        return roles.padding();
    }

    @Override
    public void close() {
        delegate.close();
    }

    /**
     * A place inside the first special token that is spelled out in the text at or after {@code
     * from}, or 0. Cutting it in two keeps the library from taking it for the token.
     */
    private int nextCut(String text, int from) {
        int best = 0;
        for (String special : specials) {
            int at = text.indexOf(special, from);
            if (at >= 0 && special.length() > 1 && (best == 0 || at + 1 < best)) {
                best = at + 1;
            }
        }
        return best;
    }

    private int[] encodeRaw(String text) {
        if (text.isEmpty()) {
            return new int[0];
        }
        long[] ids = delegate.encode(text, false, false).getIds();
        return Arrays.stream(ids).mapToInt(Math::toIntExact).toArray();
    }
}
