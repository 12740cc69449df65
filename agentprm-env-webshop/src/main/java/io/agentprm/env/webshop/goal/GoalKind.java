package io.agentprm.env.webshop.goal;

/** Who wrote the instructions. */
public enum GoalKind {
    /** People, from {@code items_human_ins}. */
    HUMAN,
    /** A rule, from {@code items_ins_v2}: one goal for each combination of a product's options. */
    SYNTHETIC
}
