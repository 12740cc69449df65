/** Policy optimisers: supervised fine-tuning and online direct preference optimisation. */
package io.agentprm.algos.optim;
