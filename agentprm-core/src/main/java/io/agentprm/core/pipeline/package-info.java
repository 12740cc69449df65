/**
 * The loop of arXiv 2502.10325 as a sequence of stages: demonstrations, supervised start, then
 * rollouts, targets, reward model and policy improvement, iterated, with evaluations between them.
 */
package io.agentprm.core.pipeline;
