package io.agentprm.algos.optim;

/**
 * A state to reply to: a turn of a trajectory.
 *
 * @param trajectory index in the list of rollouts
 * @param turn number of the turn
 */
record Prompt(int trajectory, int turn) {}
