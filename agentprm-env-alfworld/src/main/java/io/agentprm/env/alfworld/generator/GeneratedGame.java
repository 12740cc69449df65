package io.agentprm.env.alfworld.generator;

import io.agentprm.env.alfworld.household.Goal;

/**
 * A game.
 *
 * @param folder its folder below that of the split: {@code
 *     <type>-<object>-None-<place>-<scene>/trial_<name>}
 * @param json content of {@code game.tw-pddl}
 * @param goal what is wanted
 */
public record GeneratedGame(String folder, String json, Goal goal) {}
