package io.agentprm.env.alfworld.household;

/**
 * A receptacle that stays where it is.
 *
 * @param id its id
 * @param type class without the word "type", in lower case
 * @param location id of the place from which it is reached
 * @param openable whether it must be opened to see and reach what is inside
 */
public record Furniture(String id, String type, String location, boolean openable) {}
