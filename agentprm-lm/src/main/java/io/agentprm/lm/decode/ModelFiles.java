package io.agentprm.lm.decode;

import io.agentprm.api.IoReasons;
import io.agentprm.api.lm.Tokenizer;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.tokenizer.Tokenizers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** What a model has besides its weights, read once: name, tokenizer, stop tokens. */
public final class ModelFiles {
    private final String name;
    private final Tokenizer tokenizer;
    private final byte[] tokenizerJson;
    private final List<Integer> stopTokenIds;

    private ModelFiles(
            String name, Tokenizer tokenizer, byte[] tokenizerJson, List<Integer> stopTokenIds) {
        this.name = name;
        this.tokenizer = tokenizer;
        this.tokenizerJson = tokenizerJson;
        this.stopTokenIds = stopTokenIds;
    }

    public static ModelFiles read(ModelDirectory directory) {
        Tokenizer tokenizer = Tokenizers.open(directory);
        Path file = directory.tokenizerFile().orElseThrow();
        try {
            return new ModelFiles(
                    directory.path().toAbsolutePath().normalize().getFileName().toString(),
                    tokenizer,
                    Files.readAllBytes(file),
                    directory.stopTokenIds());
        } catch (IOException e) {
            throw new LanguageModelException("cannot read " + file + ": " + IoReasons.of(e), e);
        }
    }

    public String name() {
        return name;
    }

    public Tokenizer tokenizer() {
        return tokenizer;
    }

    public List<Integer> stopTokenIds() {
        return stopTokenIds;
    }

    /** Gives the tokenizer's file, which lives during the call only. */
    public void withTokenizerFile(Consumer<Path> use) {
        try {
            // In a directory: a temporary file, and so each copy of it, is readable by its owner
            // only.
            Path directory = Files.createTempDirectory("tokenizer");
            Path file = directory.resolve("tokenizer.json");
            try {
                Files.write(file, tokenizerJson);
                use.accept(file);
            } finally {
                Files.deleteIfExists(file);
                Files.delete(directory);
            }
        } catch (IOException e) {
            throw new LanguageModelException(
                    "cannot write a temporary tokenizer.json: " + IoReasons.of(e), e);
        }
    }
}
