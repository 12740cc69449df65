package io.agentprm.env.webshop.generator;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;

/**
 * What catalogue to make. Both components change the products, so both belong to their identity.
 */
@Description("A catalogue made from a seed.")
public record GeneratorOptions(
        @Description("Seed of all products and instructions.") @Default("1") long seed,
        @Description("Number of products, at least 1.") @Default("1000") int products) {
    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if there are no products
     */
    public GeneratorOptions {
        if (products < 1) {
            throw new IllegalArgumentException("products must be 1 or more, was " + products);
        }
    }

    /** A thousand products. */
    public static GeneratorOptions standard(long seed) {
        return new GeneratorOptions(seed, 1000);
    }
}
