package io.agentprm.engine.djl;

/** A forward pass of training and its way back. */
interface RecordedPass extends AutoCloseable {
    /** The channels of the plan as one vector. */
    float[] outputs();

    /** Adds the gradient of outputs · slope to the weights' gradients. Once only. */
    void backward(float[] slope);

    @Override
    void close();
}
