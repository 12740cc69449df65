package io.agentprm.algos.loss;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TrainingRow;
import java.util.List;
import java.util.Set;

/**
 * Proximal policy optimisation with clipped ratios (Schulman et al., arXiv 1707.06347), an entropy
 * bonus and a value term: per supervised token {@code -min(r A, clip(r, 1 - eps, 1 + eps) A) - c_H
 * H} with {@code r = exp(logp - old)}, plus {@code c_V / 2 (V - R)^2} at each mark. Everything is
 * divided by the number of supervised tokens of the batch; where marks are rarer than tokens,
 * weights (see {@link TrainingRow#WEIGHT}) balance the value term.
 *
 * <p>Supervised segments carry {@link TrainingRow#OLD_LOG_PROB} and {@link TrainingRow#ADVANTAGE},
 * marked ones {@link TrainingRow#LABEL}, the return R. Metrics: {@code policy-loss}, {@code
 * value-loss}, {@code entropy}, {@code clip-fraction}, and {@code old-kl}, the estimator {@code r -
 * 1 - ln r} of the divergence from the old policy.
 */
public final class PpoLoss implements LossFunction {
    private final double clip;
    private final double entropyWeight;
    private final double valueWeight;
    private final Channel logProb;
    private final Channel entropy;

    /**
     * Makes the loss.
     *
     * @param clip epsilon, in (0, 1)
     * @param entropyWeight c_H, 0 or more
     * @param valueWeight c_V, 0 or more
     * @param temperature temperature of the log-probabilities and the entropy
     */
    public PpoLoss(double clip, double entropyWeight, double valueWeight, double temperature) {
        if (!(clip > 0 && clip < 1)) {
            throw new IllegalArgumentException("clip must lie in (0, 1), was " + clip);
        }
        this.clip = clip;
        this.entropyWeight = entropyWeight;
        this.valueWeight = valueWeight;
        this.logProb = Channel.logProb(temperature);
        this.entropy = Channel.entropy(temperature);
    }

    @Override
    public Set<Channel> channels() {
        return Set.of(logProb, entropy, Channel.SCORE);
    }

    @Override
    public double normalizer(List<TrainingRow> batch) {
        return SftLoss.supervisedTokens(batch, "policy optimisation");
    }

    @Override
    public Value evaluate(List<TrainingRow> rows, ModelOutputs outputs, double normalizer) {
        LossSum sum = LossSum.of(rows, channels(), normalizer);
        for (int r = 0; r < rows.size(); r++) {
            for (int s = 0; s < rows.get(r).tree().segments().size(); s++) {
                addPolicy(sum, rows.get(r), outputs, r, s);
                addValue(sum, rows.get(r), outputs, r, s);
            }
        }
        return sum.value();
    }

    private void addPolicy(LossSum sum, TrainingRow row, ModelOutputs outputs, int r, int s) {
        double[] logProbs = outputs.at(logProb, r, s);
        double[] entropies = outputs.at(entropy, r, s);
        for (int i = 0; i < logProbs.length; i++) {
            double advantage = row.values(TrainingRow.ADVANTAGE, s)[i];
            double logRatio = logProbs[i] - row.values(TrainingRow.OLD_LOG_PROB, s)[i];
            double ratio = Math.exp(logRatio);
            double clipped = Math.max(1 - clip, Math.min(1 + clip, ratio)) * advantage;
            boolean active = ratio * advantage <= clipped;
            double surrogate = Math.min(ratio * advantage, clipped);
            sum.add(-surrogate - entropyWeight * entropies[i]);
            sum.addSlope(logProb, r, s, i, active ? -ratio * advantage : 0);
            sum.addSlope(entropy, r, s, i, -entropyWeight);
            sum.addMetric("policy-loss", -surrogate);
            sum.addMetric("entropy", entropies[i]);
            sum.addMetric("clip-fraction", active ? 0 : 1);
            sum.addMetric("old-kl", ratio - 1 - logRatio);
        }
    }

    private void addValue(LossSum sum, TrainingRow row, ModelOutputs outputs, int r, int s) {
        double[] values = outputs.at(Channel.SCORE, r, s);
        for (int i = 0; i < values.length; i++) {
            double weight =
                    row.has(TrainingRow.WEIGHT, s) ? row.values(TrainingRow.WEIGHT, s)[i] : 1;
            double error = values[i] - row.values(TrainingRow.LABEL, s)[i];
            double term = weight * 0.5 * error * error;
            sum.add(valueWeight * term);
            sum.addSlope(Channel.SCORE, r, s, i, valueWeight * weight * error);
            sum.addMetric("value-loss", term);
        }
    }
}
