package io.agentprm.algos;

/** The logistic function and its companions, without overflow for any finite argument. */
public final class Logistic {
    private Logistic() {}

    /** 1 / (1 + exp(-x)). */
    public static double sigmoid(double x) {
        if (x >= 0) {
            return 1 / (1 + Math.exp(-x));
        }
        double e = Math.exp(x);
        return e / (1 + e);
    }

    /** ln(1 + exp(x)), which is minus the logarithm of sigmoid(-x). */
    public static double softplus(double x) {
        return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
    }
}
