package io.agentprm.lm;

/** Where models shall run. */
public enum DeviceChoice {
    /** CUDA where there is one, else the processor. */
    AUTO,
    /** The processor. */
    CPU,
    /** The first CUDA device; an error where there is none. */
    CUDA
}
