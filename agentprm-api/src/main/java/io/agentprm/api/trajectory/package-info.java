/** States, decisions, turns and trajectories: the record of what an agent saw and did. */
package io.agentprm.api.trajectory;
