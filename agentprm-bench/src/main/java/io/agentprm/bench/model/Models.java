package io.agentprm.bench.model;

import io.agentprm.bench.measure.BenchmarkException;
import io.agentprm.lm.checkpoint.Initialization;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelInitializer;
import io.agentprm.lm.tokenizer.Alphabet;
import io.agentprm.lm.tokenizer.PreTokenizer;
import io.agentprm.lm.tokenizer.SpecialTokens;
import io.agentprm.lm.tokenizer.WordTrainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Models with random weights, made for a measurement and deleted after it. */
final class Models implements AutoCloseable {
    /** End of turn of the tokenizer that comes with each model. */
    static final int END = 2;

    /** Ids from here on are ordinary tokens. */
    static final int FIRST_ORDINARY = 3;

    /** No single bytes: llama.cpp leaves out what it knows of tokens within a character. */
    private static final WordTrainer WHOLE_CHARACTERS =
            new WordTrainer(
                    PreTokenizer.WORDS, Alphabet.SEEN_BYTES, 4096, 2, SpecialTokens.standard());

    private final Path directory;

    Models() {
        try {
            directory = Files.createTempDirectory("agentprm-bench");
        } catch (IOException e) {
            throw new BenchmarkException("no temporary directory can be made", e);
        }
    }

    /** A place for files of the measurement. */
    Path directory() {
        return directory;
    }

    /** The shape of a model with a language head and a score head. */
    static ModelConfig config(int hidden, int layers, int heads, int intermediate, int vocabulary) {
        return ModelConfig.builder()
                .vocabSize(vocabulary)
                .hiddenSize(hidden)
                .intermediateSize(intermediate)
                .layers(layers)
                .heads(heads)
                .previousTokenEmbedding(true)
                .scoreHead(true)
                .scoreBias(true)
                .contextLength(1024)
                .bosTokenId(1)
                .padTokenId(0)
                .eosTokenIds(List.of(END))
                .build();
    }

    /** Makes a model directory. */
    Path create(String name, ModelConfig config) {
        Path tokenizer = directory.resolve(name + ".tokenizer.json");
        WHOLE_CHARACTERS.train(List.of()).write(tokenizer);
        Path model = directory.resolve(name);
        ModelInitializer.create(
                model, config, Initialization.FAN_IN, name.hashCode(), Optional.of(tokenizer));
        return model;
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new BenchmarkException(directory + " can't be deleted; delete it by hand", e);
        }
    }
}
