package io.agentprm.lm.tokenizer;

/** Which single bytes a trained vocabulary holds. */
public enum Alphabet {
    /** All 256: any text can be encoded. */
    ALL_BYTES,
    /**
     * Those of the training text: a smaller vocabulary for a closed world. Text with any other byte
     * cannot be encoded and is an error.
     */
    SEEN_BYTES
}
