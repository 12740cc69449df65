package io.agentprm.bench.model;

import io.agentprm.lm.checkpoint.ModelConfig;
import java.util.List;

/**
 * Size of a decoder and of the batch that it is trained on: every row is full, every token but the
 * first of a row is a target. Head and input embedding are one matrix.
 */
enum ModelShape {
    /** So small that a step takes milliseconds: for checks that everything runs. */
    TINY("tiny", 32, 1, 2, 1, 48, 300, 2, 16),
    /** 0.7M parameters: the size of the quickstart's agent. */
    SMALL("0.7M", 128, 3, 4, 4, 384, 500, 16, 256),
    /** 5.5M parameters. */
    MEDIUM("5M", 256, 6, 8, 4, 704, 4096, 4, 256),
    /** 27.8M parameters. */
    LARGE("28M", 512, 8, 8, 4, 1408, 8192, 2, 256),
    /** 126M parameters. */
    HUGE("126M", 768, 16, 12, 4, 2048, 32768, 1, 256);

    private final String label;
    private final int hidden;
    private final int layers;
    private final int heads;
    private final int kvHeads;
    private final int intermediate;
    private final int vocabulary;
    private final int rows;
    private final int length;

    ModelShape(
            String label,
            int hidden,
            int layers,
            int heads,
            int kvHeads,
            int intermediate,
            int vocabulary,
            int rows,
            int length) {
        this.label = label;
        this.hidden = hidden;
        this.layers = layers;
        this.heads = heads;
        this.kvHeads = kvHeads;
        this.intermediate = intermediate;
        this.vocabulary = vocabulary;
        this.rows = rows;
        this.length = length;
    }

    String label() {
        return label;
    }

    int vocabulary() {
        return vocabulary;
    }

    int rows() {
        return rows;
    }

    /** Tokens of a row. */
    int length() {
        return length;
    }

    /** Tokens of a batch. */
    int tokens() {
        return rows * length;
    }

    ModelConfig config() {
        return ModelConfig.builder()
                .vocabSize(vocabulary)
                .hiddenSize(hidden)
                .intermediateSize(intermediate)
                .layers(layers)
                .heads(heads)
                .kvHeads(kvHeads)
                .contextLength(length)
                .tiedEmbeddings(true)
                .bosTokenId(1)
                .padTokenId(0)
                .eosTokenIds(List.of(Models.END))
                .build();
    }

    /**
     * Floating-point operations that a training step on the batch needs, forward and backward: 6
     * for each token and parameter (of N, the one matrix of embedding and head counted once, since
     * looking up an embedding costs nothing), and for attention 6 × layers × length × hidden for
     * each token. That is 12 for every pair of tokens, half of which the causal mask leaves out.
     * Norms, softmax and the optimiser are not counted.
     */
    double flops() {
        double attention = 6.0 * layers * length * hidden;
        return tokens() * (6.0 * config().parameters() + attention);
    }

    /** The numbers that the peer takes: widths, then the batch. */
    List<String> arguments() {
        return List.of(hidden, layers, heads, kvHeads, intermediate, vocabulary, rows, length)
                .stream()
                .map(n -> Integer.toString(n))
                .toList();
    }
}
