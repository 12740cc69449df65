/** What all training loops share: batches, schedules, checkpoints, splits. Not exported. */
package io.agentprm.algos.train;
