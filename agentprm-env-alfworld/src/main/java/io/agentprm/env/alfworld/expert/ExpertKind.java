package io.agentprm.env.alfworld.expert;

/** What an expert knows. */
public enum ExpertKind {
    /** Only what the agent sees, and where things lay in the training games. */
    EXPLORER,
    /** Everything; it goes straight to the goal by a cheapest plan. */
    PLANNER,
    /** Nothing; it takes any admissible action. */
    RANDOM
}
