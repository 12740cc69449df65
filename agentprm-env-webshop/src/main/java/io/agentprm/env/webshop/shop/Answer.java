package io.agentprm.env.webshop.shop;

import io.agentprm.env.webshop.reward.Reward;

/** What came of an action. */
public sealed interface Answer {
    /** Something happened. */
    record Moved() implements Answer {}

    /** Something was bought, which ends the task. */
    record Bought(Reward reward) implements Answer {}

    /** Nothing happened. */
    record Refused(String reason) implements Answer {}
}
