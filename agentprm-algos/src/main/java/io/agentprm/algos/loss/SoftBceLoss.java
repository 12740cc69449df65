package io.agentprm.algos.loss;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.Logistic;

/**
 * Binary cross-entropy of a score, read as log-odds, against a label in [0, 1] (Choudhury, arXiv
 * 2502.10325, algorithm 1, stage 2): {@code softplus(z) - y z}, which is finite for every finite
 * score. Metrics: {@code accuracy}, the share of labels on whose side of one half the score is, and
 * {@code score}, the mean score.
 */
public final class SoftBceLoss extends LabelledScores {
    @Override
    void checkLabel(double label) {
        if (!(label >= 0 && label <= 1)) {
            throw new AlgorithmException(
                    "soft cross-entropy needs labels in [0, 1], one was " + label);
        }
    }

    @Override
    double loss(double score, double label) {
        return Logistic.softplus(score) - label * score;
    }

    @Override
    double slope(double score, double label) {
        return Logistic.sigmoid(score) - label;
    }

    @Override
    void addMetrics(LossSum sum, double score, double label, double weight) {
        sum.addMetric("accuracy", score > 0 == label > 0.5 ? weight : 0);
        sum.addMetric("score", weight * score);
    }
}
