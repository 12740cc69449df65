package io.agentprm.env.alfworld.pddl;

/**
 * A typed variable or object.
 *
 * @param name with the question mark of a variable
 * @param type {@code object} where none is written
 */
public record Variable(String name, String type) {}
