package io.agentprm.algos.target;

/** Discounted returns of a sequence of turns. One turn is one step, whatever its token count. */
public final class Returns {
    private Returns() {}

    /**
     * Return-to-go of each turn, {@code sum over k >= t of gamma^(k-t) r_k}.
     *
     * @param rewards reward of each turn
     * @param gamma discount per turn, in [0, 1]
     * @param tail value of the state after the last turn: 0 after a termination, the state's
     *     estimated value after a truncation; so the returns of an episode in two chunks are those
     *     of the whole
     */
    public static double[] toGo(double[] rewards, double gamma, double tail) {
        double[] returns = new double[rewards.length];
        double next = tail;
        for (int t = rewards.length - 1; t >= 0; t--) {
            next = rewards[t] + gamma * next;
            returns[t] = next;
        }
        return returns;
    }
}
