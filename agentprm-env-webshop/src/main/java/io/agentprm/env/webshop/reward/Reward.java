package io.agentprm.env.webshop.reward;

/**
 * The reward with its parts. The total is the type's score times the share of what was asked for
 * that is there: attributes, options and the price, each counted once (WebShop, arXiv 2207.01206,
 * equation 1).
 *
 * @param type kind of thing
 * @param attributes attributes that match
 * @param wantedAttributes attributes asked for, 1 or more
 * @param options options that match
 * @param wantedOptions options asked for
 * @param price true if the price is within the limit
 */
public record Reward(
        TypeMatch type,
        int attributes,
        int wantedAttributes,
        int options,
        int wantedOptions,
        boolean price) {
    /** The reward, in [0, 1]; 1 if everything fits. */
    public double total() {
        return (double) (attributes + options + (price ? 1 : 0)) / parts() * type.score();
    }

    /** Number of things asked for, the price included. */
    public int parts() {
        return wantedAttributes + wantedOptions + 1;
    }
}
