package io.agentprm.engine.djl;

/** Number format of the matrix products of training and inference; weights are always float32. */
public enum Precision {
    /** Single precision throughout. */
    F32,

    /**
     * Products of hidden states and layer weights in bfloat16 with float32 accumulation; norms,
     * attention, heads and the optimiser in float32.
     */
    BF16
}
