/** The rollout runner: many sessions over one batched policy. */
package io.agentprm.core.rollout;
