package io.agentprm.env.webshop.reward;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Rules of thefuzz that a few cases show. */
class TokenSetsTest {
    @Test
    void aTextWhoseWordsTheOtherHasIsTheSame() {
        assertEquals(100, ratio("black white", "black"));
        assertEquals(100, ratio("a b c", "C, b; A"));
    }

    @Test
    void nothingIsLikeAnything() {
        assertEquals(0, ratio("", ""));
        assertEquals(0, ratio("!!!", "!!!"));
    }

    @Test
    void lettersOfLatin1VanishAndOthersStay() {
        assertEquals(100, ratio("café", "caf"));
        assertEquals(100, ratio("ж", "Ж"));
        assertEquals(0, ratio("é", "é"));
    }

    @Test
    void wordCharactersArePythons() {
        assertEquals(100, ratio("a_b", "A_B"));
        assertEquals(0, ratio("ⅷ", "8"));
        // A combining accent parts words in Python, but not in Java.
        assertEquals(100, ratio("e\u0301a", "e"));
    }

    @Test
    void theTwoLibrariesDiffer() {
        assertEquals(50, ratio("aaaa", "abaa"));
        assertEquals(75, TokenSets.ratio("aaaa", "abaa", Similarity.LEVENSHTEIN));
    }

    @Test
    void halvesAreRoundedToEven() {
        assertEquals(12, ratio("abcdefgh", "axyzuvwt"));
        assertEquals(38, ratio("abcdefgh", "abcxyuvw"));
    }

    /** CPython 3.11 gives these ratios. */
    @Test
    void charactersThatAreFrequentInALongTextStartNoBlock() {
        assertEquals(0, difflib("abcd".repeat(60), "bcda".repeat(60)));
        assertEquals(
                0.011857707509881422,
                difflib(
                        "x".repeat(150) + "abc" + "y".repeat(100),
                        "y".repeat(100) + "abc" + "x".repeat(150)));
        assertEquals(2 / 3.0, difflib("qabxcd", "abycdf"));
    }

    private static double difflib(String a, String b) {
        return SequenceMatcher.ratio(a.codePoints().toArray(), b.codePoints().toArray());
    }

    private static int ratio(String a, String b) {
        return TokenSets.ratio(a, b, Similarity.DIFFLIB);
    }
}
