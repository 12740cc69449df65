package io.agentprm.lm;

/** Where models shall run. CUDA was not run on a GPU yet: there was none. */
public enum DeviceChoice {
    /** CUDA where there is one, else the processor. */
    AUTO,
    /** The processor. */
    CPU,
    /** The first CUDA device, not run on a GPU yet; an error where there is none. */
    CUDA;

    /** Said wherever CUDA is offered, asked for or used, for as long as it is true. */
    public static final String CUDA_UNTRIED = "CUDA was not run on a GPU yet";
}
