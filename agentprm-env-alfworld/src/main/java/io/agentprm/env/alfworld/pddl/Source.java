package io.agentprm.env.alfworld.pddl;

import io.agentprm.env.alfworld.AlfworldException;

/**
 * A text with the name under which errors mention it.
 *
 * @param name such as {@code path/game.tw-pddl, pddl_domain}
 * @param text the text itself
 */
public record Source(String name, String text) {
    /** An error at that offset; the message gives line and column, both from 1. */
    public AlfworldException error(int offset, String problem) {
        return error(offset, problem, null);
    }

    /** The same with the error that it follows from. */
    public AlfworldException error(int offset, String problem, Throwable cause) {
        int line = 1;
        int column = 1;
        int end = Math.min(offset, text.length());
        for (int i = 0; i < end; i++) {
            if (text.charAt(i) == '\n') {
                line++;
                column = 1;
            } else {
                column++;
            }
        }
        return new AlfworldException(
                name + ", line " + line + ", column " + column + ": " + problem, cause);
    }
}
