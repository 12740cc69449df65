package io.agentprm.core.report;

import java.util.List;

/**
 * How well predicted probabilities agree with what happened.
 *
 * @param title such as {@code Q-1 on held-out tasks}
 * @param bins by ascending prediction; empty bins are left out
 * @param brier mean squared error of the prediction
 * @param expectedError mean over turns of |predicted - observed| of their bin (ECE)
 */
public record Calibration(String title, List<Bin> bins, double brier, double expectedError) {
    public Calibration {
        bins = List.copyOf(bins);
    }

    /**
     * Turns with similar predictions.
     *
     * @param predicted mean predicted probability
     * @param observed mean outcome
     * @param count number of turns
     */
    public record Bin(double predicted, Estimate observed, long count) {}
}
