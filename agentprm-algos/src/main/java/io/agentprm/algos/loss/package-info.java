/**
 * Losses in plain Java: value and gradient with respect to a model's outputs, tested against finite
 * differences.
 */
package io.agentprm.algos.loss;
