package io.agentprm.lm.testing;

import io.agentprm.lm.checkpoint.Initialization;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelInitializer;
import io.agentprm.lm.tokenizer.WordTrainer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** New models of our own type, a few kilobytes large, with a tokenizer of bytes. */
public final class TinyModels {
    public static final int VOCABULARY = 259;

    private TinyModels() {}

    /**
     * Two layers, grouped queries, embeddings of both previous tokens and of recall, both heads.
     */
    public static Path create(Path parent, String name, long seed) {
        return create(parent, name, seed, config(32, 2, 48));
    }

    /** The same type with other sizes. */
    public static ModelConfig config(int hidden, int layers, int intermediate) {
        return ModelConfig.builder()
                .vocabSize(VOCABULARY)
                .hiddenSize(hidden)
                .intermediateSize(intermediate)
                .layers(layers)
                .heads(4)
                .kvHeads(2)
                .previousTokenEmbedding(true)
                .secondPreviousTokenEmbedding(true)
                .recallEmbedding(true)
                .scoreHead(true)
                .scoreBias(true)
                .contextLength(512)
                .bosTokenId(1)
                .padTokenId(0)
                .eosTokenIds(List.of(2))
                .build();
    }

    /** A new model of that type, under {@code parent}. */
    public static Path create(Path parent, String name, long seed, ModelConfig config) {
        Path tokenizer = parent.resolve(name + ".tokenizer.json");
        WordTrainer.standard().train(List.of()).write(tokenizer);
        Path target = parent.resolve(name);
        ModelInitializer.create(
                target, config, Initialization.FAN_IN, seed, Optional.of(tokenizer));
        return target;
    }
}
