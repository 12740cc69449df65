package io.agentprm.algos.target;

import io.agentprm.algos.AlgorithmException;

/**
 * Generalised advantage estimation (Schulman et al., arXiv 1506.02438) over the turns of one
 * episode. Nothing ever leaks from one episode into another: there is one call per episode.
 *
 * @param advantages one per turn
 * @param targets regression target of each turn: advantage plus the value that it was measured from
 */
public record GeneralizedAdvantage(double[] advantages, double[] targets) {
    /**
     * Advantages from state values: {@code delta_t = r_t + gamma V_(t+1) - V_t}, {@code A_t =
     * delta_t + gamma lambda A_(t+1)}.
     *
     * @param rewards reward of each turn
     * @param values V(s_t) of the state before each turn
     * @param nextValue value of the state after the last turn: 0 if the episode terminated, V of
     *     the final observation (never of the last state acted on) if it was truncated
     */
    public static GeneralizedAdvantage ofValues(
            double[] rewards, double[] values, double nextValue, double gamma, double lambda) {
        if (rewards.length != values.length) {
            throw new AlgorithmException(
                    rewards.length + " rewards but " + values.length + " values");
        }
        double[] advantages = new double[values.length];
        double[] targets = new double[values.length];
        double following = 0;
        double next = nextValue;
        for (int t = values.length - 1; t >= 0; t--) {
            double delta = rewards[t] + gamma * next - values[t];
            following = delta + gamma * lambda * following;
            advantages[t] = following;
            targets[t] = following + values[t];
            next = values[t];
        }
        return new GeneralizedAdvantage(advantages, targets);
    }

    /**
     * Targets for a process reward model from its own scores (Xi et al., arXiv 2511.08325, section
     * on label estimation, with the usual terminal error {@code r - M_(T-1)}): the value of a state
     * is the score of the action that led to it, transitions being deterministic.
     *
     * @param scores M_t of each turn's action under the current model
     * @param baseline value of the first state, such as the mean outcome of its task's rollouts
     * @param outcome outcome of a terminated episode, or the discounted value of the state after
     *     the last turn of a truncated one
     */
    public static GeneralizedAdvantage ofScores(
            double[] scores, double baseline, double outcome, double gamma, double lambda) {
        double[] rewards = new double[scores.length];
        double[] values = new double[scores.length];
        for (int t = 0; t < scores.length; t++) {
            values[t] = t == 0 ? baseline : scores[t - 1];
        }
        if (scores.length > 0) {
            rewards[scores.length - 1] = outcome;
        }
        return ofValues(rewards, values, 0, gamma, lambda);
    }
}
