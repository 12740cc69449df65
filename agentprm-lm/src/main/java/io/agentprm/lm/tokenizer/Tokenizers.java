package io.agentprm.lm.tokenizer;

import io.agentprm.api.lm.Tokenizer;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.checkpoint.ModelDirectory;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Opens the tokenizer of a model directory. */
public final class Tokenizers {
    private Tokenizers() {}

    /**
     * Opens the {@code tokenizer.json} of a model: in Java where it is plain byte-level BPE (fast,
     * without native memory), otherwise through the Hugging Face library, whose native memory is
     * freed when the garbage collector finds it unused.
     *
     * @throws LanguageModelException if there is none, it cannot be read, or it has more tokens
     *     than the model
     */
    public static Tokenizer open(ModelDirectory model) {
        Path file =
                model.tokenizerFile()
                        .orElseThrow(
                                () ->
                                        new LanguageModelException(
                                                model.path() + " has no tokenizer.json"));
        Tokenizer tokenizer = open(file, TokenRoles.of(model));
        int rows = model.config().vocabSize();
        if (tokenizer.vocabularySize() > rows) {
            throw new LanguageModelException(
                    String.format(
                            Locale.ROOT,
                            "%s has %d tokens, but the model's vocabulary is %d",
                            file,
                            tokenizer.vocabularySize(),
                            rows));
        }
        return tokenizer;
    }

    /**
     * Opens a {@code tokenizer.json} by itself.
     *
     * @throws LanguageModelException if it cannot be read
     */
    public static Tokenizer open(Path file, TokenRoles roles) {
        TokenizerFile content = TokenizerFile.read(file);
        Optional<ByteLevelTokenizer> own = TokenizerJson.find(file, content, roles);
        return own.isPresent() ? own.get() : NativeTokenizer.open(file, content, roles);
    }
}
