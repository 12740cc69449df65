package io.agentprm.env.alfworld.generator;

/**
 * A receptacle of a scene.
 *
 * @param id its id
 * @param type class in the spelling of the problem ({@code SinkBasin})
 * @param location id of the place from which it is reached, perhaps shared with others
 * @param openable whether it must be opened
 */
record Piece(String id, String type, String location, boolean openable) {}
