/** Learning process reward models from labelled trajectories. */
package io.agentprm.algos.reward;
