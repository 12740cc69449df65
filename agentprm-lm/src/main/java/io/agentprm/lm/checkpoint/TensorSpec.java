package io.agentprm.lm.checkpoint;

/**
 * A tensor that a model needs.
 *
 * @param name the Hugging Face parameter name, such as {@code model.layers.0.mlp.up_proj.weight}
 * @param shape its dimensions; weights of linear maps are [out, in]
 */
public record TensorSpec(String name, TensorShape shape) {}
