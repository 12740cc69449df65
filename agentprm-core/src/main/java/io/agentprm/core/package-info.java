/**
 * Plugin discovery, rollouts, trajectory store, run directory, evaluation, configuration binding.
 */
package io.agentprm.core;
