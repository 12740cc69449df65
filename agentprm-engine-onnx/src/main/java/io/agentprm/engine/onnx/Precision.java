package io.agentprm.engine.onnx;

/** Number format of weight matrices. Norms, biases and attention stay in float32. */
public enum Precision {
    /** float32: the same numbers as the engine that trained the model, up to rounding. */
    F32,
    /** Weight matrices of half the bits, in files; products are those of float32. */
    F16,
    /**
     * 8 bits in blocks of 32 with a scale each, and products of 8-bit numbers; embeddings 8 bits
     * with a scale a row.
     */
    INT8,
    /** 4 bits in blocks of 32 with a scale each; head and embeddings as in INT8. */
    INT4;

    /** Whether products are of whole numbers. */
    boolean wholeNumbers() {
        return this == INT8 || this == INT4;
    }
}
