package io.agentprm.env.alfworld.twl2;

import java.util.List;
import java.util.Optional;

/** Part of a text of a grammar. */
public sealed interface Piece {
    /** Text as it is. */
    record Terminal(String text) implements Piece {}

    /** The game's task sentence, which differs between games that share a grammar. */
    record TaskSentence() implements Piece {}

    /** The text of a rule. */
    record NonTerminal(String rule) implements Piece {}

    /** A value. */
    record Value(Expression expression) implements Piece {}

    /** A piece once for each solution of a query, one after another. */
    record ForEach(Piece item, Query query) implements Piece {}

    /** A piece once for each solution (once without a query), joined as a list of a sentence. */
    record Listing(Piece item, Optional<Query> query) implements Piece {}

    /** Pieces one after another. */
    record Sequence(List<Piece> pieces) implements Piece {}
}
