package io.agentprm.algos.loss;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.Logistic;

/**
 * Half the squared difference of a probability and a label in [0, 1] (Brier, 1950), the score being
 * read as log-odds. Metrics as for {@link SoftBceLoss}.
 */
public final class BrierLoss extends LabelledScores {
    @Override
    void checkLabel(double label) {
        if (!(label >= 0 && label <= 1)) {
            throw new AlgorithmException(
                    "the squared loss of a probability needs labels in [0, 1], one was " + label);
        }
    }

    @Override
    double loss(double score, double label) {
        double error = Logistic.sigmoid(score) - label;
        return 0.5 * error * error;
    }

    @Override
    double slope(double score, double label) {
        double p = Logistic.sigmoid(score);
        return (p - label) * p * (1 - p);
    }

    @Override
    void addMetrics(LossSum sum, double score, double label, double weight) {
        sum.addMetric("accuracy", score > 0 == label > 0.5 ? weight : 0);
        sum.addMetric("score", weight * score);
    }
}
