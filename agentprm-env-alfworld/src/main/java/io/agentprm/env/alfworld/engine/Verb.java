package io.agentprm.env.alfworld.engine;

/** Kinds of commands of the compiled engine, in the order in which their texts sort. */
enum Verb {
    CLEAN,
    CLOSE,
    COOL,
    EXAMINE_RECEPTACLE,
    EXAMINE_OBJECT,
    GO,
    HEAT,
    HELP,
    INVENTORY,
    LOOK,
    OPEN,
    PUT,
    SLICE,
    TAKE,
    USE
}
