package io.agentprm.api.lm;

import io.agentprm.api.Experimental;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Values of channels for the segments of a batch, or gradients of a loss with respect to them: for
 * each channel, row and segment an array as long as the segment's number of supervised tokens
 * (log-prob, entropy) or marks (score).
 */
@Experimental(since = "1.0")
public final class ModelOutputs {
    private final Map<Channel, double[][][]> values;

    private ModelOutputs(Map<Channel, double[][][]> values) {
        this.values = values;
    }

    /** Zeros in the shape that the channels have on these rows. */
    public static ModelOutputs zeros(List<TokenTree> rows, Set<Channel> channels) {
        Map<Channel, double[][][]> values = new HashMap<>();
        for (Channel channel : channels) {
            double[][][] all = new double[rows.size()][][];
            for (int row = 0; row < all.length; row++) {
                List<TokenSegment> segments = rows.get(row).segments();
                all[row] = new double[segments.size()][];
                for (int s = 0; s < segments.size(); s++) {
                    TokenSegment segment = segments.get(s);
                    all[row][s] =
                            new double
                                    [channel.name().equals(Channel.SCORE.name())
                                            ? segment.markCount()
                                            : segment.supervisedCount()];
                }
            }
            values.put(channel, all);
        }
        return new ModelOutputs(values);
    }

    /** The live array of a segment: writing to it changes these outputs. */
    public double[] at(Channel channel, int row, int segment) {
        double[][][] all = values.get(channel);
        if (all == null) {
            throw new IllegalArgumentException(
                    "no channel " + channel + " here; there are " + values.keySet());
        }
        return all[row][segment];
    }

    public Set<Channel> channels() {
        return values.keySet();
    }
}
