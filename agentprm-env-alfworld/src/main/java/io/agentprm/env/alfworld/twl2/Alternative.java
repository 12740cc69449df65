package io.agentprm.env.alfworld.twl2;

import java.util.Optional;

/** One way to write a rule: the first whose condition has a solution is used. */
public record Alternative(Optional<Query> condition, Piece text) {}
