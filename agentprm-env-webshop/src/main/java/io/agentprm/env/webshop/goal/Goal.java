package io.agentprm.env.webshop.goal;

import java.util.List;

/**
 * What a shopper is asked to buy.
 *
 * @param asin the product that the instruction was made for
 * @param category of that product
 * @param query of that product
 * @param name title of that product
 * @param productCategory of that product
 * @param instruction the task in words
 * @param attributes what the product must have, one or more
 * @param priceUpper largest price in dollars; {@link #NO_LIMIT} if the instruction names none
 * @param options what must be chosen, possibly nothing
 */
public record Goal(
        String asin,
        String category,
        String query,
        String name,
        String productCategory,
        String instruction,
        List<String> attributes,
        double priceUpper,
        List<GoalOption> options) {
    /** The limit of a goal without one. */
    public static final double NO_LIMIT = 1_000_000;

    public Goal {
        attributes = List.copyOf(attributes);
        options = List.copyOf(options);
    }
}
