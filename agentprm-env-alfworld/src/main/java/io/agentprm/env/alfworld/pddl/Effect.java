package io.agentprm.env.alfworld.pddl;

/**
 * One atom that an action makes true or false.
 *
 * @param condition holds in the state before the action if the effect takes place
 * @param atom the atom
 * @param added true if it becomes true, false if it becomes false
 */
public record Effect(Formula condition, Formula.Atom atom, boolean added) {}
