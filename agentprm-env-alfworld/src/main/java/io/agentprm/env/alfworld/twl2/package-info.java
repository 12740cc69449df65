/**
 * The TWL2 grammars that turn actions and states into text: templates of commands, feedback, and
 * queries on facts.
 */
package io.agentprm.env.alfworld.twl2;
