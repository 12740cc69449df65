package io.agentprm.engine.openai;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.SampledTokens;
import io.agentprm.lm.text.TokenTrie;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Replies 5 2, 5 6 2 and 7 2, whose first tokens have a tenth of the probability. */
class ConstrainedDrawTest {
    private static final List<int[]> REPLIES =
            List.of(new int[] {5, 2}, new int[] {5, 6, 2}, new int[] {7, 2});
    private static final TokenTrie TRIE = TokenTrie.of(REPLIES);
    private static final List<double[]> LOG_PROBS =
            List.of(
                    new double[] {Math.log(0.08), Math.log(0.1)},
                    new double[] {Math.log(0.08), Math.log(0.3), Math.log(0.9)},
                    new double[] {Math.log(0.02), Math.log(1)});

    private static SampledTokens draw(Sampling sampling, int seed) {
        return new ConstrainedDraw(TRIE, ConstrainedDraw.replies(TRIE), LOG_PROBS)
                .draw(sampling, RandomSource.of(1).derive(seed).generator());
    }

    private static Map<String, Long> counts(Sampling sampling) {
        Map<String, Long> counts = new TreeMap<>();
        for (int i = 0; i < 4000; i++) {
            counts.merge(Arrays.toString(draw(sampling, i).ids()), 1L, Long::sum);
        }
        return counts;
    }

    @Test
    void allowedRepliesAreFoundInOrder() {
        List<int[]> found = ConstrainedDraw.replies(TRIE);
        assertEquals(3, found.size());
        for (int i = 0; i < 3; i++) {
            assertArrayEquals(REPLIES.get(i), found.get(i));
        }
    }

    /** 0.08 : 0.02 at the first fork, 0.1 : 0.3 at the second; 3 standard errors are 0.024. */
    @Test
    void everyForkIsDrawnByTheModelsProbabilitiesAmongTheAllowed() {
        Map<String, Long> counts = counts(Sampling.temperature(1, 8));
        assertEquals(0.8 * 0.25, counts.get("[5, 2]") / 4000.0, 0.024);
        assertEquals(0.8 * 0.75, counts.get("[5, 6, 2]") / 4000.0, 0.024);
        assertEquals(0.2, counts.get("[7, 2]") / 4000.0, 0.024);
    }

    @Test
    void temperatureSharpensEachFork() {
        Map<String, Long> counts = counts(Sampling.temperature(0.5, 8));
        assertEquals(1 / 17.0, counts.get("[7, 2]") / 4000.0, 0.015);
    }

    @Test
    void greedyTakesTheLikeliestAtEachFork() {
        assertEquals(Map.of("[5, 6, 2]", 4000L), counts(Sampling.greedy(8)));
    }

    @Test
    void theNucleusLeavesOutWhatIsUnlikely() {
        assertTrue(!counts(new Sampling(1, 0.7, 8)).containsKey("[7, 2]"));
    }

    @Test
    void logProbabilitiesAreThoseOfTheUnconstrainedModel() {
        SampledTokens tokens = draw(Sampling.greedy(8), 0);
        assertArrayEquals(
                new double[] {Math.log(0.08), Math.log(0.3), Math.log(0.9)},
                tokens.logProbs(),
                1e-12);
        assertEquals(1, tokens.temperature());
    }

    @Test
    void theLengthLimitCuts() {
        assertArrayEquals(new int[] {5, 6}, draw(Sampling.greedy(2), 0).ids());
    }

    @Test
    void tooManyRepliesAreRefusedWithARemedy() {
        List<int[]> many = new ArrayList<>();
        IntStream.range(10, 3000).forEach(i -> many.add(new int[] {i, 2}));
        ServerException e =
                assertThrows(
                        ServerException.class, () -> ConstrainedDraw.replies(TokenTrie.of(many)));
        assertTrue(e.getMessage().contains("use decoding: free"), e.getMessage());
    }
}
