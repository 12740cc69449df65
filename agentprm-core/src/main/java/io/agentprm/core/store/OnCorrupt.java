package io.agentprm.core.store;

/** What a reader does about a line or file that is corrupt. */
public enum OnCorrupt {
    /** Stop with an error that names file, line and cause. */
    FAIL,
    /** Leave it out, and report it with the result. */
    SKIP
}
