package io.agentprm.env.alfworld.game;

/** Which engine plays a game. */
public enum Engine {
    /** The compiled engine where domain, grammar and goal are known to it, else the interpreter. */
    AUTO,
    /** The general interpreter, always. */
    INTERPRETER
}
