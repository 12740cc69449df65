package io.agentprm.api.lm;

import io.agentprm.api.Experimental;

/** Text to token ids and back. Never truncates, never adds special tokens. Thread-safe. */
@Experimental(since = "1.0")
public interface Tokenizer {
    int[] encode(String text);

    /** The text of the ids; special tokens appear as nothing. */
    String decode(int[] ids);

    /** Number of ids; valid ones are 0 until this. */
    int vocabularySize();

    /** Id that starts every sequence. */
    int beginOfSequence();

    /** Id that ends a reply. */
    int endOfTurn();

    /** Id used to fill; never recognised by its value, only by masks. */
    int padding();
}
