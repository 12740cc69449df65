package io.agentprm.lm.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.policy.Sampling;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class TokenSamplerTest {
    private static final int WIDTH = 1003;
    private static final Sampling WARM = Sampling.temperature(1, 1);

    /** Multiples of 2^-20 that sum to one, so that no order of adding them rounds. */
    private static float[] probabilities(int from, int to) {
        Random random = new Random(3);
        float[] out = new float[WIDTH];
        int left = 1 << 20;
        while (left > 0) {
            int some = 1 + random.nextInt(Math.min(left, 5000));
            out[from + random.nextInt(to - from)] += some * 0x1p-20f;
            left -= some;
        }
        return out;
    }

    private static TokenSampler sampler(float[] second) {
        float[] first = new float[WIDTH];
        first[7] = 1;
        float[] both = Arrays.copyOf(first, 2 * WIDTH);
        System.arraycopy(second, 0, both, WIDTH, WIDTH);
        float[] logProbs = new float[2 * WIDTH];
        for (int i = 0; i < both.length; i++) {
            logProbs[i] = (float) Math.log(both[i]);
        }
        return new TokenSampler(logProbs, both, 2);
    }

    /** Draws from the second row with a uniform number. */
    private static int draw(TokenSampler sampler, double uniform) {
        RandomGenerator fixed = () -> (long) (uniform * 0x1p53) << 11;
        return sampler.draw(1, WARM, Optional.empty(), fixed);
    }

    @Test
    void aTokenIsDrawnForExactlyItsShareOfTheUniformNumbers() {
        float[] probabilities = probabilities(0, WIDTH);
        TokenSampler sampler = sampler(probabilities);
        double before = 0;
        for (int id = 0; id < WIDTH; id++) {
            if (probabilities[id] > 0) {
                assertEquals(id, draw(sampler, before));
                before += probabilities[id];
                assertEquals(id, draw(sampler, before - 0x1p-53));
            }
        }
        assertEquals(1, before);
    }

    @Test
    void aTokenWithoutProbabilityIsNeverDrawn() {
        float[] probabilities = probabilities(300, 500);
        TokenSampler sampler = sampler(probabilities);
        for (double uniform : new double[] {0, 0.5, 1 - 0x1p-53}) {
            int id = draw(sampler, uniform);
            assertTrue(probabilities[id] > 0, "token " + id);
        }
    }
}
