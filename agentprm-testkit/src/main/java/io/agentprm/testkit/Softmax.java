package io.agentprm.testkit;

/** Softmax, entropy and their derivatives with respect to the temperature-divided logits. */
final class Softmax {
    private Softmax() {}

    static double[] logProbs(double[] logits, int count, double temperature) {
        double max = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < count; i++) {
            max = Math.max(max, logits[i] / temperature);
        }
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Math.exp(logits[i] / temperature - max);
        }
        double logSum = max + Math.log(sum);
        double[] result = new double[count];
        for (int i = 0; i < count; i++) {
            result[i] = logits[i] / temperature - logSum;
        }
        return result;
    }

    static double entropy(double[] logProbs) {
        double entropy = 0;
        for (double l : logProbs) {
            entropy -= Math.exp(l) * l;
        }
        return entropy;
    }

    static double[] logProbGradient(double[] logProbs, int token) {
        double[] slope = new double[logProbs.length];
        for (int i = 0; i < slope.length; i++) {
            slope[i] = (i == token ? 1 : 0) - Math.exp(logProbs[i]);
        }
        return slope;
    }

    static double[] entropyGradient(double[] logProbs) {
        double entropy = entropy(logProbs);
        double[] slope = new double[logProbs.length];
        for (int i = 0; i < slope.length; i++) {
            slope[i] = -Math.exp(logProbs[i]) * (logProbs[i] + entropy);
        }
        return slope;
    }
}
