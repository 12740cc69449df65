/** What the run gives to its components: clock, progress, metrics, cancellation, checkpoints. */
package io.agentprm.core.context;
