package io.agentprm.env.webshop.expert;

/** How a shopper shops. */
public enum ShopperKind {
    /** Searches, compares some results, chooses options and buys. */
    EXPERT,
    /** Searches for the instruction and buys the first result: the rule of the paper. */
    FIRST_HIT,
    /** The same, with the options that the instruction asks for. */
    FIRST_HIT_WITH_OPTIONS,
    /**
     * Knows how to do it, but does not look twice: opens one of the first results, whichever, and
     * where options are left to choose buys at once as often as it chooses one.
     */
    HASTY,
    /** Searches for the instruction, then clicks anything. */
    RANDOM
}
