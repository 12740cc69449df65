package io.agentprm.algos.loss;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TrainingRow;
import java.util.List;
import java.util.Set;

/**
 * Supervised fine-tuning: the negative log-likelihood (nats) of the supervised tokens, averaged
 * over all supervised tokens of the batch, whatever row they are in.
 */
public final class SftLoss implements LossFunction {
    private static final Channel LOG_PROB = Channel.logProb(1);

    @Override
    public Set<Channel> channels() {
        return Set.of(LOG_PROB);
    }

    @Override
    public double normalizer(List<TrainingRow> batch) {
        return supervisedTokens(batch, "supervised fine-tuning");
    }

    static double supervisedTokens(List<TrainingRow> batch, String what) {
        long tokens =
                batch.stream()
                        .flatMap(row -> row.tree().segments().stream())
                        .mapToLong(TokenSegment::supervisedCount)
                        .sum();
        if (tokens == 0) {
            throw new AlgorithmException(
                    what
                            + ": none of the batch's "
                            + batch.size()
                            + " rows has a supervised token; check the renderer's reply spans and"
                            + " the loss mask");
        }
        return tokens;
    }

    @Override
    public Value evaluate(List<TrainingRow> rows, ModelOutputs outputs, double normalizer) {
        LossSum sum = LossSum.of(rows, channels(), normalizer);
        for (int r = 0; r < rows.size(); r++) {
            for (int s = 0; s < rows.get(r).tree().segments().size(); s++) {
                double[] logProbs = outputs.at(LOG_PROB, r, s);
                for (int i = 0; i < logProbs.length; i++) {
                    sum.add(-logProbs[i]);
                    sum.addSlope(LOG_PROB, r, s, i, -1);
                }
            }
        }
        return sum.value();
    }
}
