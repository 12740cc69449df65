package io.agentprm.lm.jinja;

/** Python's None. */
enum None {
    NONE
}
