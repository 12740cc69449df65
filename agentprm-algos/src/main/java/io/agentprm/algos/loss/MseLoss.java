package io.agentprm.algos.loss;

import io.agentprm.algos.AlgorithmException;

/**
 * Half the squared difference of score and label (Xi et al., arXiv 2511.08325, L_Q). Metric: {@code
 * score}, the mean score.
 */
public final class MseLoss extends LabelledScores {
    @Override
    void checkLabel(double label) {
        if (!Double.isFinite(label)) {
            throw new AlgorithmException("a label must be a finite number, one was " + label);
        }
    }

    @Override
    double loss(double score, double label) {
        return 0.5 * (score - label) * (score - label);
    }

    @Override
    double slope(double score, double label) {
        return score - label;
    }

    @Override
    void addMetrics(LossSum sum, double score, double label, double weight) {
        sum.addMetric("score", weight * score);
    }
}
