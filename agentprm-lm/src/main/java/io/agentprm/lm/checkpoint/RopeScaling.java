package io.agentprm.lm.checkpoint;

/**
 * How rotary position frequencies are changed for contexts longer than the ones of pre-training.
 *
 * <p>The rotary embedding rotates the pair of components (i, i + d/2) of a head of dimension d by
 * position × f_i with f_i = θ^(−2i/d) (Su et al., RoFormer, section 3.2.2). A scaling replaces f_i.
 */
public sealed interface RopeScaling {

    /** The frequency that replaces {@code frequency} (radians per position). */
    double scale(double frequency);

    /** Frequencies as they are. */
    static RopeScaling none() {
        return new None();
    }

    /** No scaling ({@code rope_type} "default"). */
    record None() implements RopeScaling {
        @Override
        public double scale(double frequency) {
            return frequency;
        }
    }

    /**
     * Position interpolation ({@code rope_type} "linear"): every frequency divided by the factor
     * (Chen et al. 2023, section 2.3).
     *
     * @param factor context extension, at least 1
     */
    record Linear(double factor) implements RopeScaling {
        public Linear {
            requirePositive("factor", factor);
        }

        @Override
        public double scale(double frequency) {
            return frequency / factor;
        }
    }

    /**
     * The Llama 3.1 rule ({@code rope_type} "llama3"): wavelengths shorter than originalContext /
     * highFrequencyFactor stay, longer than originalContext / lowFrequencyFactor are divided by the
     * factor, and between the two the frequencies are interpolated.
     *
     * @param factor division of the low frequencies
     * @param lowFrequencyFactor where the fully scaled band begins
     * @param highFrequencyFactor where the untouched band ends; larger than lowFrequencyFactor
     * @param originalContext positions of pre-training
     */
    record Llama3(
            double factor,
            double lowFrequencyFactor,
            double highFrequencyFactor,
            int originalContext)
            implements RopeScaling {
        public Llama3 {
            requirePositive("factor", factor);
            requirePositive("low_freq_factor", lowFrequencyFactor);
            requirePositive("original_max_position_embeddings", originalContext);
            if (!(highFrequencyFactor > lowFrequencyFactor)) {
                throw new IllegalArgumentException(
                        "high_freq_factor ("
                                + highFrequencyFactor
                                + ") must be larger than low_freq_factor ("
                                + lowFrequencyFactor
                                + ")");
            }
        }

        @Override
        public double scale(double frequency) {
            double wavelength = 2 * Math.PI / frequency;
            if (wavelength < originalContext / highFrequencyFactor) {
                return frequency;
            }
            if (wavelength > originalContext / lowFrequencyFactor) {
                return frequency / factor;
            }
            double smooth =
                    (originalContext / wavelength - lowFrequencyFactor)
                            / (highFrequencyFactor - lowFrequencyFactor);
            return (1 - smooth) * frequency / factor + smooth * frequency;
        }
    }

    private static void requirePositive(String name, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(name + " must be positive, was " + value);
        }
    }
}
