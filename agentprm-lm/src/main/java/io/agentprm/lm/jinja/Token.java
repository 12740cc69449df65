package io.agentprm.lm.jinja;

/**
 * A piece of a template.
 *
 * @param text what it says; for strings without quotes and with escapes resolved
 * @param line line in the template, from 1
 */
record Token(Kind kind, String text, int line) {
    enum Kind {
        /** Text that is copied. */
        TEXT,
        /** <code>{{</code> or <code>{%</code>. */
        BEGIN,
        /** <code>}}</code> or <code>%}</code>. */
        END,
        NAME,
        STRING,
        INTEGER,
        FLOAT,
        OPERATOR,
        /** After the last token. */
        EOF
    }

    boolean is(Kind wanted, String said) {
        return kind == wanted && text.equals(said);
    }
}
