package org.example.corridor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Environment;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.rollout.RolloutPlan;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.testkit.PolicyContract;
import io.agentprm.testkit.ScriptedPolicy;
import io.agentprm.testkit.SimpleRollouts;
import org.junit.jupiter.api.Test;

class PorterTest extends PolicyContract {
    @Override
    protected Policy openPolicy() {
        return new Porter(0.3);
    }

    private static double successRate(Policy policy) {
        CorridorConfig config = new CorridorConfig(5, 200, 12);
        try (Environment corridor =
                new CorridorProvider().create(config, RunContext.ofSeed(1))) {
            RolloutPlan plan = RolloutPlan.of(corridor.tasks("valid"), 1, RandomSource.of(1));
            return SimpleRollouts.of(corridor).collect(policy, plan).stream()
                            .filter(Trajectory::success)
                            .count()
                    / 200.0;
        }
    }

    @Test
    void anAttentivePorterAlwaysDeliversAndChanceSeldomDoes() {
        double attentive = successRate(new Porter(0));
        double chance = successRate(ScriptedPolicy.random());
        assertEquals(1, attentive);
        assertTrue(chance < 0.5, () -> "success rate by chance: " + chance);
    }
}
