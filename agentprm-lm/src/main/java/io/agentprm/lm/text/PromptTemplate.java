package io.agentprm.lm.text;

import io.agentprm.api.env.Observation;
import java.util.function.Function;

/**
 * The words around instruction and observations. Thread-safe; the same arguments give the same
 * text.
 */
public interface PromptTemplate {
    /**
     * The text from the begin of sequence to the first reply of a segment.
     *
     * @param instruction the task in words
     * @param observation what the segment begins with
     * @param initial whether that is the first observation of the episode
     */
    String head(String instruction, Observation observation, boolean initial);

    /** The text between the end of a reply and the begin of the next one. */
    String turn(Observation observation);

    /**
     * The tokens of a text of this template; special tokens only where the template spells them.
     *
     * @param tokens those of a text without special tokens
     */
    default int[] encode(String text, Function<String, int[]> tokens) {
        return tokens.apply(text);
    }

    /** Whether the template's text has the begin of sequence in it, where there is to be one. */
    default boolean beginsSequence() {
        return false;
    }
}
