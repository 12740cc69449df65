package io.agentprm.env.alfworld.generator;

/**
 * A thing and the receptacle that it lies in.
 *
 * @param type class in the spelling of the problem ({@code CellPhone})
 */
record Item(String id, String type, Piece place) {}
