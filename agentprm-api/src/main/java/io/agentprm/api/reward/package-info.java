/** Reward models: batched scores of decisions in states. */
package io.agentprm.api.reward;
