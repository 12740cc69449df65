package io.agentprm.env.alfworld.generator;

/**
 * What is wanted where.
 *
 * @param object class of the wanted object, in the spelling of the problem ({@code CellPhone})
 * @param place class of the receptacle or lamp
 */
record GoalPair(String object, String place) {}
