/** Rollouts as a service: what algorithms ask of the runner. */
package io.agentprm.api.rollout;
