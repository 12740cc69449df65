/**
 * Text to token ids and back. Tokenizers are trained here in Java (byte-level BPE, or whole words
 * for small closed vocabularies) and saved as a standard Hugging Face {@code tokenizer.json}; any
 * other {@code tokenizer.json} is read through the Hugging Face library.
 *
 * <p>Text is never searched for special tokens: a {@code <|end|>} that an environment prints is
 * encoded as the seven characters that it is, so no observation can end a turn. Special tokens come
 * in by id, from the renderer only.
 */
package io.agentprm.lm.tokenizer;
