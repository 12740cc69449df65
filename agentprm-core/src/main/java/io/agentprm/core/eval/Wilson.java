package io.agentprm.core.eval;

import io.agentprm.core.report.Estimate;

/** Score interval of a proportion (Wilson, JASA 1927), at 95 %. */
public final class Wilson {
    /** 97.5 % quantile of the normal distribution. */
    private static final double Z = 1.959963984540054;

    private Wilson() {}

    /**
     * The share of successes with its interval; [0, 1] around 0 if there were no trials.
     *
     * @param successes number of successes, in [0, trials]
     * @param trials number of trials, 0 or more
     */
    public static Estimate interval(long successes, long trials) {
        if (successes < 0 || successes > trials) {
            throw new IllegalArgumentException(
                    successes + " successes of " + trials + " trials are not possible");
        }
        if (trials == 0) {
            return new Estimate(0, 0, 1);
        }
        double share = (double) successes / trials;
        double z2 = Z * Z;
        double centre = (share + z2 / (2 * trials)) / (1 + z2 / trials);
        double half =
                Z
                        / (1 + z2 / trials)
                        * Math.sqrt(share * (1 - share) / trials + z2 / (4.0 * trials * trials));
        // The ends are exact where nothing or everything succeeded; rounding must not move them.
        double low = successes == 0 ? 0 : Math.max(0, centre - half);
        double high = successes == trials ? 1 : Math.min(1, centre + half);
        return new Estimate(share, low, high);
    }
}
