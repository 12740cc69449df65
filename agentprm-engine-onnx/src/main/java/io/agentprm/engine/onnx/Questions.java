package io.agentprm.engine.onnx;

import io.agentprm.lm.checkpoint.ModelConfig;
import java.util.Arrays;
import java.util.Set;

/**
 * What is wanted of a pass besides keys and values.
 *
 * @param outputs names of the outputs that are read
 * @param wanted numbers of the tokens after which distributions are wanted
 * @param sharpness factors of their logits
 * @param targets ids whose log-probabilities are wanted there
 * @param marks numbers of the tokens after which scores are wanted
 */
@SuppressWarnings("ArrayRecordComponent")
record Questions(
        Set<String> outputs, long[] wanted, float[] sharpness, long[] targets, long[] marks) {
    private static final long[] NONE = {};

    /** Shape of an output. */
    long[] shape(String output, ModelConfig config) {
        long p = wanted.length;
        return switch (output) {
            case DecoderGraph.LOGITS, DecoderGraph.ALL_LOG_PROBS, DecoderGraph.ALL_PROBS ->
                    new long[] {p, config.vocabSize()};
            case DecoderGraph.SCORES -> new long[] {marks.length, 1};
            default -> new long[] {p, 1};
        };
    }

    static Questions none() {
        return new Questions(Set.of(), NONE, new float[0], NONE, NONE);
    }

    /**
     * Log-probabilities of all tokens.
     *
     * @param probabilities whether these are wanted too
     */
    static Questions distributions(long[] wanted, float[] sharpness, boolean probabilities) {
        return new Questions(
                probabilities
                        ? Set.of(DecoderGraph.ALL_LOG_PROBS, DecoderGraph.ALL_PROBS)
                        : Set.of(DecoderGraph.ALL_LOG_PROBS),
                wanted,
                sharpness,
                new long[wanted.length],
                NONE);
    }

    /** Log-probabilities of targets and entropies. */
    static Questions logProbs(long[] wanted, float[] sharpness, long[] targets) {
        return new Questions(
                Set.of(DecoderGraph.LOG_PROBS, DecoderGraph.ENTROPIES),
                wanted,
                sharpness,
                targets,
                NONE);
    }

    static Questions scores(long[] marks) {
        return new Questions(Set.of(DecoderGraph.SCORES), NONE, new float[0], NONE, marks);
    }

    /** Logits of all tokens, as they are. */
    static Questions logits(long[] wanted) {
        float[] ones = new float[wanted.length];
        Arrays.fill(ones, 1);
        return new Questions(
                Set.of(DecoderGraph.LOGITS), wanted, ones, new long[wanted.length], NONE);
    }
}
