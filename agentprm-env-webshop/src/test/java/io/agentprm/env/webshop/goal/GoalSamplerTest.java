package io.agentprm.env.webshop.goal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.agentprm.env.webshop.python.PythonRandom;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Goals are drawn as the original draws them. */
class GoalSamplerTest {
    /** The original's own test: fifty weights of randint(0, 10) after seed 24, then three draws. */
    @Test
    void theOriginalsUnitTestHolds() {
        PythonRandom random = new PythonRandom(24);
        double[] weights = new double[50];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = random.below(11);
        }
        GoalSampler sampler = new GoalSampler(weights);
        assertEquals(
                List.of(44, 15, 36),
                List.of(sampler.next(random), sampler.next(random), sampler.next(random)));
    }
}
