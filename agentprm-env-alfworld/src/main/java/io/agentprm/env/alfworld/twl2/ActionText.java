package io.agentprm.env.alfworld.twl2;

/** How an action is asked for and what is said after it. */
public record ActionText(Piece template, Piece feedback) {}
