package io.agentprm.engine.djl;

/** Number format of matrix products, or of weights in memory. */
public enum Precision {
    /** Single precision throughout. */
    F32,

    /**
     * Of products: those of hidden states and layer weights in bfloat16 with float32 accumulation;
     * norms, attention, heads and the optimiser in float32. Of weights: bfloat16 in memory, widened
     * exactly where a product is float32.
     */
    BF16
}
