package io.agentprm.lm.check;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.decode.ChannelPlan;
import io.agentprm.lm.decode.PackedRows;
import io.agentprm.lm.decode.Recall;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Reads log-probabilities and scores through the same path as training and evaluation. */
record CheckedOutputs(Subject subject, ModelConfig config) {
    /** Log-probabilities of all tokens but the first. */
    double[][] logProbs(List<int[]> rows) {
        return read(rows.stream().map(CheckedOutputs::supervised).toList(), Channel.logProb(1));
    }

    /** Scores at all positions. */
    double[][] scores(List<int[]> rows) {
        return read(rows.stream().map(CheckedOutputs::scored).toList(), Channel.SCORE);
    }

    private double[][] read(List<TokenTree> trees, Channel channel) {
        ChannelPlan plan = ChannelPlan.of(Set.of(channel), config);
        PackedRows packed = PackedRows.of(trees, Recall.of(config));
        ModelOutputs outputs = ModelOutputs.zeros(trees, Set.of(channel));
        if (plan.length(packed) > 0) {
            int[] same = IntStream.range(0, trees.size()).toArray();
            plan.read(subject.forward(packed, plan), trees, outputs, same);
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

    private static TokenTree scored(int[] row) {
        int[] all = IntStream.range(0, row.length).toArray();
        return TokenTree.trunk(TokenSegment.of(row, new boolean[row.length], all));
    }
}
