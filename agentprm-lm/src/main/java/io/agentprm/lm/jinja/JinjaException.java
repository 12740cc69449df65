package io.agentprm.lm.jinja;

import io.agentprm.lm.LanguageModelException;

/** A template that cannot be read, or that fails or refuses what it is given. */
public final class JinjaException extends LanguageModelException {
    private static final long serialVersionUID = 1L;

    private final boolean placed;

    private JinjaException(String message, boolean placed) {
        super(message);
        this.placed = placed;
    }

    static JinjaException of(String what) {
        return new JinjaException(what, false);
    }

    static JinjaException at(String template, int line, String what) {
        return new JinjaException(template + ", line " + line + ": " + what, true);
    }

    /** The same with the place where it happened, the innermost one. */
    JinjaException in(String template, int line) {
        return placed ? this : at(template, line, getMessage());
    }
}
