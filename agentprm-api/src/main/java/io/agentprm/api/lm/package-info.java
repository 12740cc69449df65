/**
 * The language-model contract: tokens, generation, and training by a loss written in plain Java on
 * named outputs. No tensor type appears here.
 */
package io.agentprm.api.lm;
