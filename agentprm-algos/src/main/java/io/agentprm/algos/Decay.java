package io.agentprm.algos;

/** Course of a learning rate after its warm-up. */
public enum Decay {
    /** Stays. */
    CONSTANT,
    /** Falls to 0 in a straight line. */
    LINEAR,
    /** Falls to 0 along half a period of the cosine. */
    COSINE
}
