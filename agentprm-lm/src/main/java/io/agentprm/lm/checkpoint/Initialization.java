package io.agentprm.lm.checkpoint;

/**
 * How the weights of a new model are drawn. Norms start at 1, biases at 0, everything else is
 * normal with mean 0 and the standard deviation given here.
 */
public enum Initialization {
    /**
     * Standard deviation 1/√(fan-in) for linear maps and 1/√(hidden) for embeddings and heads; the
     * maps that write into the residual stream are divided by √(2 × layers) (Radford et al. 2019,
     * section 2.3). The choice for small models: with a fixed 0.02 a width of 128 starts with
     * activations so small that the first tenth of a short run is spent growing them.
     */
    FAN_IN {
        @Override
        double deviation(ModelConfig config, TensorSpec tensor) {
            double fanIn = tensor.shape().dim(tensor.shape().rank() - 1);
            double scale = writesResidual(tensor.name()) ? Math.sqrt(2.0 * config.layers()) : 1;
            return 1 / (Math.sqrt(fanIn) * scale);
        }
    },

    /** Standard deviation 0.02 throughout: Hugging Face's {@code initializer_range}. */
    FIXED {
        @Override
        double deviation(ModelConfig config, TensorSpec tensor) {
            return 0.02;
        }
    };

    abstract double deviation(ModelConfig config, TensorSpec tensor);

    private static boolean writesResidual(String name) {
        return name.endsWith("o_proj.weight") || name.endsWith("down_proj.weight");
    }
}
