/**
 * What a component receives from the run around it: random source, clock, progress, metrics,
 * cancellation, checkpoints.
 */
package io.agentprm.api.run;
