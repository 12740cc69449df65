/**
 * Models as GGUF, the file format of llama.cpp: configuration, vocabulary and weights in one file.
 *
 * <p>{@link io.agentprm.lm.gguf.GgufExport} is the way in. An {@code Architecture} says what a
 * model is called there and which weights it has, a {@code Vocabulary} does so for a tokenizer;
 * {@code GgufFile} writes both, with matrices in the {@code WeightFormat} of a {@link
 * io.agentprm.lm.gguf.GgufPrecision}.
 */
package io.agentprm.lm.gguf;
