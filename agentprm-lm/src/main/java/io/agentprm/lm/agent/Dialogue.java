package io.agentprm.lm.agent;

/** How the turns of an episode are put together. */
public enum Dialogue {
    /** A compact transcript without roles. */
    PLAIN,
    /** The checkpoint's own chat template, the observations being the user's messages. */
    CHAT
}
