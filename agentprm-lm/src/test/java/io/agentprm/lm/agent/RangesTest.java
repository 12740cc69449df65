package io.agentprm.lm.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.lm.checkpoint.Initialization;
import io.agentprm.lm.text.Rewrite;
import io.agentprm.lm.tokenizer.Alphabet;
import io.agentprm.lm.tokenizer.SpecialTokens;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What cannot be made is refused with its key, before anything is done. */
class RangesTest {
    @Test
    void aShapeThatCannotBeMadeIsRefused() {
        wrong("heads must divide hidden", () -> shape(128, 3, 1024));
        wrong("heads must lie between 1", () -> shape(128, 0, 1024));
        wrong("context must lie between 1", () -> shape(128, 4, 0));
        wrong("hidden is too large", () -> shape(100_000, 4, 1024));
        assertEquals(128, shape(128, 4, 1024).hidden());
    }

    @Test
    void aVocabularyHoldsItsSpecialTokensAndBytes() {
        wrong("size must be at least 259", () -> vocabulary(Alphabet.ALL_BYTES, 1));
        wrong("size must be at least 4", () -> vocabulary(Alphabet.SEEN_BYTES, 1));
        assertEquals(259, vocabulary(Alphabet.ALL_BYTES, 259).size());
        assertEquals(SpecialTokens.COUNT + 256, 259);
    }

    @Test
    void aReplacementNamesOnlyGroupsOfItsPattern() {
        wrong("replacement '$9' does not fit", () -> new Rewrite("(a)", "$9"));
        wrong("replacement '$' does not fit", () -> new Rewrite("a", "$"));
        wrong("pattern is no regular expression", () -> new Rewrite("(", ""));
        assertEquals("$1", new Rewrite("(a)", "$1").replacement());
    }

    private static Architecture shape(int hidden, int heads, int context) {
        return new Architecture(
                hidden,
                2,
                heads,
                384,
                context,
                10_000,
                true,
                false,
                Architecture.RecallScope.EVERYWHERE,
                true,
                Initialization.FAN_IN);
    }

    private static Vocabulary vocabulary(Alphabet alphabet, int size) {
        return new Vocabulary(Vocabulary.Kind.WORD, size, Optional.empty(), alphabet, 2);
    }

    private static void wrong(String message, Executable making) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, making);
        assertTrue(e.getMessage().startsWith(message), e.getMessage());
    }
}
