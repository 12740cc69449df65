package io.agentprm.env.alfworld.twl2;

import java.util.List;

/** What stands in braces: a value to print. */
public sealed interface Expression {
    /** What of an entity is printed. */
    enum Attribute {
        /** Displayed name, {@code cabinet 1}. */
        NAME,
        /** Indefinite article, always {@code a}. */
        INDEFINITE,
        /** Definite article, always {@code the}. */
        DEFINITE,
        /** Id in lower case. */
        ID
    }

    /** Attribute of the entity bound to a name. */
    record Property(String variable, Attribute attribute) implements Expression {}

    /** Quoted text. */
    record Quoted(String text) implements Expression {}

    /** Parts joined by {@code +}. */
    record Sum(List<Expression> parts) implements Expression {}

    /** First part that is not empty. */
    record FirstOf(List<Expression> parts) implements Expression {}
}
