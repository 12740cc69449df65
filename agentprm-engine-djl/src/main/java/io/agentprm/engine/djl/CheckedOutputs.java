package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.lm.decode.ChannelPlan;
import io.agentprm.lm.decode.PackedRows;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Reads log-probabilities and scores through the same path as training and evaluation. */
final class CheckedOutputs {
    private CheckedOutputs() {}

    /** Log-probabilities of all tokens but the first. */
    static double[] logProbs(Decoder decoder, int[] row) {
        return logProbs(decoder, List.of(row))[0];
    }

    static double[][] logProbs(Decoder decoder, List<int[]> rows) {
        List<TokenTree> trees = rows.stream().map(CheckedOutputs::supervised).toList();
        return read(decoder, trees, Channel.logProb(1));
    }

    /** Scores at all positions. */
    static double[][] scores(Decoder decoder, List<int[]> rows) {
        List<TokenTree> trees =
                rows.stream()
                        .map(
                                row ->
                                        TokenTree.trunk(
                                                TokenSegment.of(
                                                        row,
                                                        new boolean[row.length],
                                                        IntStream.range(0, row.length).toArray())))
                        .toList();
        return read(decoder, trees, Channel.SCORE);
    }

    private static double[][] read(Decoder decoder, List<TokenTree> trees, Channel channel) {
        ChannelPlan plan = ChannelPlan.of(Set.of(channel), decoder.config());
        PackedRows packed = PackedRows.of(trees);
        ModelOutputs outputs = ModelOutputs.zeros(trees, Set.of(channel));
        if (plan.length(packed) > 0) {
            try (NDManager manager = decoder.manager().newSubManager();
                    NDArray vector = decoder.outputs(manager, packed, plan)) {
                int[] same = IntStream.range(0, trees.size()).toArray();
                plan.read(vector.toFloatArray(), trees, outputs, same);
            }
        }
        double[][] out = new double[trees.size()][];
        Arrays.setAll(out, row -> outputs.at(channel, row, 0));
        return out;
    }

    private static TokenTree supervised(int[] row) {
        boolean[] mask = new boolean[row.length];
        Arrays.fill(mask, 1, mask.length, true);
        return TokenTree.trunk(TokenSegment.of(row, mask, new int[0]));
    }
}
