/**
 * Experts that play household games: a planner that knows everything, an explorer that knows what
 * the agent sees, weaker ones by configuration.
 */
package io.agentprm.env.alfworld.expert;
