package io.agentprm.engine.openai;

import io.agentprm.lm.checkpoint.Initialization;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.ModelInitializer;
import io.agentprm.lm.tokenizer.ByteLevelTokenizer;
import io.agentprm.lm.tokenizer.WordTrainer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A model directory whose weights nobody reads; its tokenizer knows the words of a small house. */
final class TinyModel {
    private TinyModel() {}

    static Path create(Path parent, String name) {
        Path target = parent.resolve(name);
        if (Files.exists(target)) {
            return target;
        }
        List<String> words = List.of("left right open", "left right open", " left right open");
        ByteLevelTokenizer tokenizer = WordTrainer.standard().train(words);
        Path file = parent.resolve(name + "-tokenizer.json");
        tokenizer.write(file);
        ModelInitializer.create(
                target,
                ModelConfig.builder()
                        .vocabSize(tokenizer.vocabularySize())
                        .hiddenSize(8)
                        .layers(1)
                        .heads(2)
                        .intermediateSize(8)
                        .contextLength(64)
                        .ropeTheta(10_000)
                        .tiedEmbeddings(true)
                        .bosTokenId(tokenizer.beginOfSequence())
                        .padTokenId(tokenizer.padding())
                        .eosTokenIds(List.of(tokenizer.endOfTurn()))
                        .build(),
                Initialization.FAN_IN,
                1,
                Optional.of(file));
        return target;
    }

    /** The same with a score head. */
    static Path scored(Path parent, String name) {
        Path target = parent.resolve(name);
        if (Files.notExists(target)) {
            ModelInitializer.addScoreHead(create(parent, name + "-policy"), target, 1, true);
        }
        return target;
    }

    static int vocabulary(Path model) {
        return ModelDirectory.withoutWeights(model).config().vocabSize();
    }
}
