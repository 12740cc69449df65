/** Target estimators: from trajectories to a value for every turn. */
package io.agentprm.api.target;
