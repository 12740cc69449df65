package io.agentprm.engine.onnx;

/** Which factor comes first in products of states x and a weight matrix W. */
enum Order {
    /**
     * x Wᵀ. ONNX Runtime packs the weights on loading, and goes through each part of them once for
     * every dozen states.
     */
    STATES_FIRST("model.onnx"),
    /**
     * (W xᵀ)ᵀ. Weights stay as they are in their file, which is mapped into memory. Each is read
     * once for all states of a step, while the next ones are on their way from memory.
     */
    WEIGHTS_FIRST("model.batch.onnx");

    private static final int FEWEST = 6;
    private static final int MOST = 64;

    private final String file;

    Order(String file) {
        this.file = file;
    }

    /** Name of the model file. */
    String file() {
        return file;
    }

    /**
     * The faster one for weights that come from memory at every step, measured at 28M and 126M
     * parameters: a single state is multiplied faster by packed weights, many states keep what they
     * have read of them in the cache.
     */
    static Order fasterFor(int tokens) {
        return tokens >= FEWEST && tokens <= MOST ? WEIGHTS_FIRST : STATES_FIRST;
    }
}
