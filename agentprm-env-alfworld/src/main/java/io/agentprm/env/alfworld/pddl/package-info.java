/**
 * The subset of PDDL that household games use: domains, problems and formulas, as immutable data.
 */
package io.agentprm.env.alfworld.pddl;
