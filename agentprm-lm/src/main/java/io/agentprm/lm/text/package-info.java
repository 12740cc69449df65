/**
 * States to tokens and replies back to actions: the one renderer that rollouts, labels, training,
 * evaluation and serving share, the formats of replies, and constrained decoding.
 */
package io.agentprm.lm.text;
