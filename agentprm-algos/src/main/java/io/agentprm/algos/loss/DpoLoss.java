package io.agentprm.algos.loss;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.Logistic;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TrainingRow;
import java.util.List;
import java.util.Set;

/**
 * Direct preference optimisation (Rafailov et al., NeurIPS 2023) with its identity variant (Azar et
 * al., AISTATS 2024). With {@code h = (logp_c - ref_c) - (logp_r - ref_r)}, log-probabilities being
 * sums over a reply's supervised tokens at the sampling temperature:
 *
 * <ul>
 *   <li>sigmoid: {@code -ln sigmoid(beta h)}
 *   <li>ipo: {@code (h - 1 / (2 beta))^2}
 *   <li>length-normalised: the sigmoid form of {@code h} with each side divided by its number of
 *       tokens, which needs a beta of its own, larger by about that number
 * </ul>
 *
 * Optionally each pair also costs {@code weight} times the preferred reply's mean negative
 * log-probability per token (Pang et al., arXiv 2404.19733, equation 1), which keeps what is
 * preferred likely: the preference alone is content when both replies become unlikely, as long as
 * the rejected one does so faster.
 *
 * <p>A branch with an {@link #ANCHOR} belongs to no pair: it costs its anchor, a weight, times
 * {@code (logp - ref)^2 / 2}. Over replies of the current policy the mean of this is an estimate of
 * its divergence from the reference, and its gradient an unbiased estimate of the gradient of
 * {@code KL(policy || reference)}. So what a preference changes in one state does not spread to
 * states where nothing is to be preferred.
 *
 * <p>In a tree with branches, branches 1 and 2 are a pair, 3 and 4 the next, and so on, the
 * preferred one first, anchors not counted; rows without branches pair up by group, the preferred
 * one first. Every side and anchor carries {@link TrainingRow#REFERENCE_LOG_PROB}. The normaliser
 * is the number of pairs. Metrics: {@code accuracy} (share of pairs with {@code h > 0}), {@code
 * margin} ({@code beta h}), {@code chosen-reward} and {@code rejected-reward} ({@code beta (logp -
 * ref)}).
 */
public final class DpoLoss implements LossFunction {
    /** Name of the value, one number, that makes a branch an anchor and gives its weight. */
    public static final String ANCHOR = "anchor";

    private enum Form {
        SIGMOID,
        IPO,
        LENGTH_NORMALISED
    }

    private final Form form;
    private final double beta;
    private final double chosenNll;
    private final Channel logProb;

    private DpoLoss(Form form, double beta, double chosenNll, Channel logProb) {
        if (!(beta > 0 && beta < Double.MAX_VALUE)) {
            throw new IllegalArgumentException("beta must be positive, was " + beta);
        }
        if (!(chosenNll >= 0 && chosenNll < Double.MAX_VALUE)) {
            throw new IllegalArgumentException(
                    "the weight of the preferred reply's likelihood must be 0 or more, was "
                            + chosenNll);
        }
        this.form = form;
        this.beta = beta;
        this.chosenNll = chosenNll;
        this.logProb = logProb;
    }

    private static DpoLoss of(Form form, double beta, double temperature) {
        if (!(temperature > 0)) {
            throw new IllegalArgumentException(
                    "log-probabilities need a temperature above 0, was " + temperature);
        }
        return new DpoLoss(form, beta, 0, Channel.logProb(temperature));
    }

    /** Summed log-probabilities, logistic loss. */
    public static DpoLoss sigmoid(double beta, double temperature) {
        return of(Form.SIGMOID, beta, temperature);
    }

    /** Summed log-probabilities, squared loss. */
    public static DpoLoss ipo(double beta, double temperature) {
        return of(Form.IPO, beta, temperature);
    }

    /**
     * Log-probabilities per token, logistic loss.
     *
     * @param beta not comparable with that of the other forms
     */
    public static DpoLoss lengthNormalised(double beta, double temperature) {
        return of(Form.LENGTH_NORMALISED, beta, temperature);
    }

    /**
     * The same loss plus the preferred reply's negative log-probability per token.
     *
     * @param weight 0 or more
     */
    public DpoLoss withChosenNll(double weight) {
        return new DpoLoss(form, beta, weight, logProb);
    }

    @Override
    public Set<Channel> channels() {
        return Set.of(logProb);
    }

    @Override
    public double normalizer(List<TrainingRow> batch) {
        return Pair.count(batch);
    }

    @Override
    public Value evaluate(List<TrainingRow> rows, ModelOutputs outputs, double normalizer) {
        LossSum sum = LossSum.of(rows, channels(), normalizer);
        for (Pair pair : Pair.of(rows)) {
            double chosen = logRatio(rows, outputs, pair.chosen());
            double rejected = logRatio(rows, outputs, pair.rejected());
            double h = chosen - rejected;
            double slope;
            if (form == Form.IPO) {
                double residual = h - 1 / (2 * beta);
                sum.add(residual * residual);
                slope = 2 * residual;
            } else {
                sum.add(Logistic.softplus(-beta * h));
                slope = -beta * Logistic.sigmoid(-beta * h);
            }
            addSlopes(sum, outputs, pair.chosen(), slope);
            addSlopes(sum, outputs, pair.rejected(), -slope);
            if (chosenNll > 0) {
                addLikelihood(sum, outputs, pair.chosen());
            }
            sum.addMetric("accuracy", h > 0 ? 1 : 0);
            sum.addMetric("margin", beta * h);
            sum.addMetric("chosen-reward", beta * chosen);
            sum.addMetric("rejected-reward", beta * rejected);
        }
        for (int r = 0; r < rows.size(); r++) {
            for (int s = 1; s < rows.get(r).tree().segments().size(); s++) {
                if (rows.get(r).has(ANCHOR, s)) {
                    addAnchor(sum, rows, outputs, new Pair.Side(r, s));
                }
            }
        }
        return sum.value();
    }

    private void addAnchor(
            LossSum sum, List<TrainingRow> rows, ModelOutputs outputs, Pair.Side side) {
        double weight = rows.get(side.row()).values(ANCHOR, side.segment())[0];
        double ratio = sumOfLogRatios(rows, outputs, side);
        sum.add(weight * ratio * ratio / 2);
        int tokens = outputs.at(logProb, side.row(), side.segment()).length;
        for (int i = 0; i < tokens; i++) {
            sum.addSlope(logProb, side.row(), side.segment(), i, weight * ratio);
        }
    }

    private double logRatio(List<TrainingRow> rows, ModelOutputs outputs, Pair.Side side) {
        int tokens = outputs.at(logProb, side.row(), side.segment()).length;
        return sumOfLogRatios(rows, outputs, side) / divisor(tokens);
    }

    private double sumOfLogRatios(List<TrainingRow> rows, ModelOutputs outputs, Pair.Side side) {
        double[] logProbs = outputs.at(logProb, side.row(), side.segment());
        double[] reference =
                rows.get(side.row()).values(TrainingRow.REFERENCE_LOG_PROB, side.segment());
        if (logProbs.length == 0 || reference.length != logProbs.length) {
            throw new AlgorithmException(
                    "a reply has "
                            + logProbs.length
                            + " supervised tokens and "
                            + reference.length
                            + " reference log-probabilities; both must be the same and above 0");
        }
        double ratio = 0;
        for (int i = 0; i < logProbs.length; i++) {
            ratio += logProbs[i] - reference[i];
        }
        return ratio;
    }

    private void addSlopes(LossSum sum, ModelOutputs outputs, Pair.Side side, double slope) {
        int tokens = outputs.at(logProb, side.row(), side.segment()).length;
        for (int i = 0; i < tokens; i++) {
            sum.addSlope(logProb, side.row(), side.segment(), i, slope / divisor(tokens));
        }
    }

    private void addLikelihood(LossSum sum, ModelOutputs outputs, Pair.Side side) {
        double[] logProbs = outputs.at(logProb, side.row(), side.segment());
        for (int i = 0; i < logProbs.length; i++) {
            sum.add(-chosenNll * logProbs[i] / logProbs.length);
            sum.addSlope(logProb, side.row(), side.segment(), i, -chosenNll / logProbs.length);
        }
    }

    private int divisor(int tokens) {
        return form == Form.LENGTH_NORMALISED ? tokens : 1;
    }
}
