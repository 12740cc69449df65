package io.agentprm.env.alfworld.expert;

/** In which order an explorer looks for things. */
public enum SearchOrder {
    /** Likeliest places first, by what was counted in the training games. */
    PRIOR,
    /** Shuffled, differently in every episode. */
    RANDOM,
    /** Likeliest places last. */
    REVERSE
}
