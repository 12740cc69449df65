package io.agentprm.testkit;

import io.agentprm.api.lm.TokenConstraint;
import java.util.List;

/** Allows one of some words, then the end of turn. */
final class WordConstraint implements TokenConstraint {
    private record Node(int[] allowed, int stop) implements State {
        @Override
        public State next(int id) {
            return new Node(new int[] {stop}, stop);
        }
    }

    private final Node start;

    WordConstraint(WordTokenizer tokenizer, List<String> words) {
        start =
                new Node(
                        words.stream().mapToInt(tokenizer::id).sorted().toArray(),
                        tokenizer.endOfTurn());
    }

    @Override
    public State start() {
        return start;
    }
}
