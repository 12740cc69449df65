package io.agentprm.lm.gguf;

/**
 * Number format of weight matrices in a GGUF file. Norms and biases stay in float32, and so does
 * what a server computes.
 */
public enum GgufPrecision {
    /** float32: the same numbers as the engine that trained the model, up to rounding. */
    F32(0, WeightFormat.F32, WeightFormat.F32),
    /** IEEE 754 half precision. */
    F16(1, WeightFormat.F16, WeightFormat.F16),
    /** The upper half of a float32. */
    BF16(32, WeightFormat.BF16, WeightFormat.BF16),
    /** 8 bits in blocks of 32 with a scale each. */
    Q8_0(7, WeightFormat.Q8_0, WeightFormat.Q8_0),
    /** 4 bits in blocks of 32 with a scale each; embeddings and head as in Q8_0. */
    Q4_0(2, WeightFormat.Q4_0, WeightFormat.Q8_0);

    private final int fileType;
    private final WeightFormat matrices;
    private final WeightFormat tables;

    GgufPrecision(int fileType, WeightFormat matrices, WeightFormat tables) {
        this.fileType = fileType;
        this.matrices = matrices;
        this.tables = tables;
    }

    /** The number of {@code general.file_type}. */
    int fileType() {
        return fileType;
    }

    WeightFormat matrices() {
        return matrices;
    }

    /** Of embeddings and head. */
    WeightFormat tables() {
        return tables;
    }
}
