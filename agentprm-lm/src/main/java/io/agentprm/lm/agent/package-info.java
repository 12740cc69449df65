/**
 * Agents made of language models: policies and reward models with one renderer, one reply format
 * and one way of decoding.
 */
package io.agentprm.lm.agent;
