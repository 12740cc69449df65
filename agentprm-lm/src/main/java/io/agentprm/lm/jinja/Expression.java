package io.agentprm.lm.jinja;

/** A piece of a template that has a value, see {@link Values}. */
@FunctionalInterface
interface Expression {
    Object value(Scope scope);
}
