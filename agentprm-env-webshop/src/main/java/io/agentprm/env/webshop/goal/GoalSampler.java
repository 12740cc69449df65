package io.agentprm.env.webshop.goal;

import io.agentprm.env.webshop.python.PythonRandom;

/**
 * The original's draw of a goal by weight. Its list of cumulated weights begins with 0 and is
 * searched as if it did not: goal 0 is practically never drawn, and the last one has the weight of
 * two.
 */
public final class GoalSampler {
    private final double[] cumulated;

    /**
     * @param weights of the goals in their order, one or more
     */
    public GoalSampler(double[] weights) {
        cumulated = new double[weights.length + 1];
        for (int i = 0; i < weights.length; i++) {
            cumulated[i + 1] = cumulated[i] + weights[i];
        }
    }

    /** Draws the position of a goal. */
    public int next(PythonRandom random) {
        double at = random.uniform(0, cumulated[cumulated.length - 1]);
        int low = 0;
        int high = cumulated.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (at < cumulated[middle]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return Math.min(low, cumulated.length - 2);
    }
}
