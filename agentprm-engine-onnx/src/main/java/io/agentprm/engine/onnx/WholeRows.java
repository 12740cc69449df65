package io.agentprm.engine.onnx;

import io.agentprm.api.lm.TokenTree;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.decode.ChannelPlan;
import io.agentprm.lm.decode.PackedRows;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Channels of whole rows, in one pass without padding. */
final class WholeRows {
    private static final int[] NONE = {};

    private final List<TokenTree> trees;
    private final PackedRows packed;
    private final Pass pass;
    private final int[] starts;

    WholeRows(PackedRows packed) {
        this.packed = packed;
        trees = packed.trees();
        pass = new Pass(trees.size());
        starts = new int[trees.size()];
        for (int row = 0; row < starts.length; row++) {
            starts[row] = pass.tokens();
            TokenTree tree = trees.get(row);
            for (int s = 0; s < tree.segments().size(); s++) {
                int column = pass.length(row);
                pass.add(row, tree.fork(s), NONE, column, tree.segment(s).length());
            }
        }
    }

    /** The channels of a plan as one vector, in the plan's order. */
    float[] channels(Network network, ModelConfig config, ChannelPlan plan) {
        try (PassingCaches caches =
                new PassingCaches(network.moves(), config, pass.sequences(), pass.width())) {
            return read(network.run(pass, planes(), caches, questions(plan)), plan);
        }
    }

    private float[] read(Network.Outputs outputs, ChannelPlan plan) {
        float[] out = new float[plan.length(packed)];
        int count = packed.targetCount();
        int at = 0;
        for (int i = 0; i < plan.temperatures().length; i++) {
            if ((plan.wanted()[i] & ChannelPlan.LOG_PROB) != 0) {
                System.arraycopy(outputs.of(DecoderGraph.LOG_PROBS), i * count, out, at, count);
                at += count;
            }
            if ((plan.wanted()[i] & ChannelPlan.ENTROPY) != 0) {
                System.arraycopy(outputs.of(DecoderGraph.ENTROPIES), i * count, out, at, count);
                at += count;
            }
        }
        if (plan.scores()) {
            System.arraycopy(outputs.of(DecoderGraph.SCORES), 0, out, at, packed.markCount());
        }
        return out;
    }

    /** Every target once for each temperature. */
    private Questions questions(ChannelPlan plan) {
        int count = packed.targetCount();
        double[] temperatures = plan.temperatures();
        long[] wanted = new long[temperatures.length * count];
        long[] targets = new long[wanted.length];
        float[] sharpness = new float[wanted.length];
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = number(packed.targets()[i % count]);
            targets[i] = packed.targets()[count + i % count];
            sharpness[i] = (float) (1 / temperatures[i / count]);
        }
        Set<String> outputs = new HashSet<>();
        if (temperatures.length > 0) {
            outputs.add(DecoderGraph.LOG_PROBS);
            outputs.add(DecoderGraph.ENTROPIES);
        }
        long[] marks = new long[plan.scores() ? packed.markCount() : 0];
        if (plan.scores()) {
            outputs.add(DecoderGraph.SCORES);
            for (int i = 0; i < marks.length; i++) {
                marks[i] = number(packed.marks()[i]);
            }
        }
        return new Questions(outputs, wanted, sharpness, targets, marks);
    }

    /** Number of the token at a padded place. */
    private int number(long place) {
        int length = (int) packed.shape()[2];
        return starts[(int) place / length] + (int) place % length;
    }

    /** Planes of the tokens without padding. */
    private long[] planes() {
        int length = (int) packed.shape()[2];
        int count = (int) packed.shape()[0];
        long[] out = new long[count * pass.tokens()];
        for (int plane = 0; plane < count; plane++) {
            for (int row = 0; row < starts.length; row++) {
                System.arraycopy(
                        packed.planes(),
                        (plane * starts.length + row) * length,
                        out,
                        plane * pass.tokens() + starts[row],
                        trees.get(row).length());
            }
        }
        return out;
    }
}
