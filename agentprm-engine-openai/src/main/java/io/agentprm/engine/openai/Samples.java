package io.agentprm.engine.openai;

/** How several replies to one state are asked for. */
public enum Samples {
    /** Each in a request of its own with a seed of its own, so that a run can be repeated. */
    SEEDED,
    /** All in one request, without a seed. */
    TOGETHER,
    /** Each in a request of its own, without a seed. */
    APART
}
