package io.agentprm.algos.policy;

/**
 * Outcome of a ballot.
 *
 * @param winner index into the competing entries
 * @param scores raw score of each competing entry; empty if nothing was scored
 */
record Choice(int winner, double[] scores) {
    static Choice unscored(int winner) {
        return new Choice(winner, new double[0]);
    }
}
