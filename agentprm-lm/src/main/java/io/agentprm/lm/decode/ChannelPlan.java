package io.agentprm.lm.decode;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.checkpoint.ModelConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * The order in which a kernel concatenates channels into one vector: for each temperature the
 * log-probabilities, the entropies, and at last the scores.
 */
public final class ChannelPlan {
    /** Log-probabilities are wanted. */
    public static final int LOG_PROB = 1;

    /** Entropies are wanted. */
    public static final int ENTROPY = 2;

    private final List<Channel> order = new ArrayList<>();
    private final double[] temperatures;
    private final long[] wanted;
    private final boolean scores;

    private ChannelPlan(Set<Channel> channels, ModelConfig config) {
        TreeMap<Double, Integer> kinds = new TreeMap<>();
        for (Channel channel : channels) {
            int kind = kind(channel, config);
            if (kind != 0) {
                kinds.merge(channel.temperature(), kind, (a, b) -> a | b);
            }
        }
        temperatures = kinds.keySet().stream().mapToDouble(t -> t).toArray();
        wanted = kinds.values().stream().mapToLong(k -> k).toArray();
        scores = channels.contains(Channel.SCORE);
        kinds.forEach(
                (temperature, kind) -> {
                    if ((kind & LOG_PROB) != 0) {
                        order.add(Channel.logProb(temperature));
                    }
                    if ((kind & ENTROPY) != 0) {
                        order.add(Channel.entropy(temperature));
                    }
                });
        if (scores) {
            order.add(Channel.SCORE);
        }
        order.sort(Comparator.comparing(c -> c.equals(Channel.SCORE)));
    }

    /**
     * @throws LanguageModelException if the model does not have one of the channels
     */
    public static ChannelPlan of(Set<Channel> channels, ModelConfig config) {
        return new ChannelPlan(channels, config);
    }

    private static int kind(Channel channel, ModelConfig config) {
        if (channel.equals(Channel.SCORE)) {
            if (!config.scoreHead()) {
                throw new LanguageModelException(
                        "the model has no score head; add one with addScoreHead");
            }
            return 0;
        }
        boolean logProb = channel.equals(Channel.logProb(channel.temperature()));
        if (!logProb && !channel.equals(Channel.entropy(channel.temperature()))) {
            throw new LanguageModelException(
                    "there is no channel " + channel + "; there are log-prob, entropy and score");
        }
        if (!(channel.temperature() > 0)) {
            throw new IllegalArgumentException("temperature must be positive: " + channel);
        }
        if (!config.languageHead()) {
            throw new LanguageModelException("the model has no language head, so no " + channel);
        }
        return logProb ? LOG_PROB : ENTROPY;
    }

    /** Distinct temperatures, ascending. */
    public double[] temperatures() {
        return temperatures;
    }

    /** For each temperature 1: log-probabilities, 2: entropies, 3: both. */
    public long[] wanted() {
        return wanted;
    }

    public boolean scores() {
        return scores;
    }

    /** Length of the vector for a batch. */
    public int length(PackedRows rows) {
        int total = 0;
        for (Channel channel : order) {
            total += channel.equals(Channel.SCORE) ? rows.markCount() : rows.targetCount();
        }
        return total;
    }

    /** Spreads the vector over a batch's outputs. */
    public void read(float[] vector, List<TokenTree> rows, ModelOutputs into, int[] rowNumbers) {
        walk(
                rows,
                into,
                rowNumbers,
                (array, start) -> {
                    for (int i = 0; i < array.length; i++) {
                        array[i] = vector[start + i];
                    }
                });
    }

    /** Collects outputs, such as a gradient, into a vector. Channels that are absent are zero. */
    public float[] write(ModelOutputs from, List<TokenTree> rows, int length) {
        float[] vector = new float[length];
        int[] same = new int[rows.size()];
        for (int i = 0; i < same.length; i++) {
            same[i] = i;
        }
        walk(
                rows,
                from,
                same,
                (array, start) -> {
                    for (int i = 0; i < array.length; i++) {
                        vector[start + i] = (float) array[i];
                    }
                });
        return vector;
    }

    private interface Visitor {
        void visit(double[] array, int start);
    }

    private void walk(
            List<TokenTree> rows, ModelOutputs outputs, int[] rowNumbers, Visitor visitor) {
        int start = 0;
        for (Channel channel : order) {
            boolean present = outputs.channels().contains(channel);
            for (int row = 0; row < rows.size(); row++) {
                for (int s = 0; s < rows.get(row).segments().size(); s++) {
                    int count =
                            channel.equals(Channel.SCORE)
                                    ? rows.get(row).segment(s).markCount()
                                    : rows.get(row).segment(s).supervisedCount();
                    if (present) {
                        visitor.visit(outputs.at(channel, rowNumbers[row], s), start);
                    }
                    start += count;
                }
            }
        }
    }
}
