/** Decoding policies: Best-of-N by a reward model, and controls at equal N. */
package io.agentprm.algos.policy;
