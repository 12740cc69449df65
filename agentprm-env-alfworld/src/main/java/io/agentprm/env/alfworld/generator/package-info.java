/**
 * Household games made from a seed, in the format of the released ones, and variations of given
 * games. Same options, split and number: same bytes, whatever else is generated and on how many
 * threads.
 */
package io.agentprm.env.alfworld.generator;
