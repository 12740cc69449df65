package io.agentprm.algos.optim;

import io.agentprm.algos.policy.Wiring;
import io.agentprm.api.optim.PolicyOptimizer;
import io.agentprm.api.run.RunContext;
import io.agentprm.testkit.PolicyOptimizerContract;
import org.junit.jupiter.api.Nested;

/** The optimisers keep the contract of optimisers. */
class OptimizerContractTest {
    @Nested
    class Sft extends PolicyOptimizerContract {
        @Override
        protected PolicyOptimizer optimizer(RunContext context) {
            SftConfig config =
                    SftConfig.builder()
                            .epochs(2)
                            .batchTrajectories(8)
                            .learningRate(0.3)
                            .microBatchTokens(64)
                            .holdOut(0)
                            .build();
            return new SftProvider().create(config, Wiring.none(), context);
        }
    }

    @Nested
    class OnlineDpo extends PolicyOptimizerContract {
        @Override
        protected PolicyOptimizer optimizer(RunContext context) {
            return new OnlineDpoProvider()
                    .create(
                            OnlineDpoTest.config(10, 16, OnlineDpoConfig.Loss.SIGMOID),
                            Wiring.none(),
                            context);
        }
    }
}
