package io.agentprm.lm.tokenizer;

import java.util.List;

/**
 * The special tokens of a newly trained tokenizer; they get the ids 0, 1 and 2 in this order.
 *
 * @param padding fills; never recognised by its id
 * @param beginOfSequence starts every sequence
 * @param endOfTurn ends a reply
 */
public record SpecialTokens(String padding, String beginOfSequence, String endOfTurn) {
    /** How many there are. */
    public static final int COUNT = 3;

    static final int PADDING_ID = 0;
    static final int BEGIN_ID = 1;
    static final int END_ID = 2;

    public SpecialTokens {
        List<String> all = List.of(padding, beginOfSequence, endOfTurn);
        if (all.stream().distinct().count() != 3 || all.stream().anyMatch(String::isEmpty)) {
            throw new IllegalArgumentException(
                    "special tokens must be three different texts, were " + all);
        }
    }

    /** {@code <|pad|>}, {@code <|begin|>}, {@code <|end|>}. */
    public static SpecialTokens standard() {
        return new SpecialTokens("<|pad|>", "<|begin|>", "<|end|>");
    }

    List<String> inOrder() {
        return List.of(padding, beginOfSequence, endOfTurn);
    }
}
