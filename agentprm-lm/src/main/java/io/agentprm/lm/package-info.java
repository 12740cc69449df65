/**
 * What every language-model engine needs: checkpoints, tokenizers, rendering, parsing, constrained
 * decoding.
 */
package io.agentprm.lm;
