package io.agentprm.algos.reward;

import io.agentprm.algos.policy.Wiring;
import io.agentprm.algos.target.McConfig;
import io.agentprm.algos.target.McEstimator;
import io.agentprm.algos.target.TdGaeConfig;
import io.agentprm.algos.target.TdGaeEstimator;
import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.run.Metrics;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.TargetEstimator;
import io.agentprm.testkit.RewardLearnerContract;
import org.junit.jupiter.api.Nested;

/** The learners keep the contract of learners, whatever their labels come from. */
class LearnerContractTest {
    private static RewardLearner prm(RunContext context) {
        PrmConfig config =
                PrmConfig.builder()
                        .epochs(3)
                        .learningRate(0.3)
                        .maxGradientNorm(10)
                        .microBatchTokens(64)
                        .holdOut(0)
                        .build();
        return new PrmProvider().create(config, Wiring.none(), context);
    }

    @Nested
    class OfMonteCarloLabels extends RewardLearnerContract {
        @Override
        protected RewardLearner learner(RunContext context) {
            return prm(context);
        }

        @Override
        protected TargetEstimator estimator() {
            return McEstimator.of(McConfig.defaults(), Metrics.none());
        }
    }

    @Nested
    class OfTemporalDifferences extends RewardLearnerContract {
        @Override
        protected RewardLearner learner(RunContext context) {
            return prm(context);
        }

        @Override
        protected TargetEstimator estimator() {
            return new TdGaeEstimator(TdGaeConfig.defaults(), Metrics.none());
        }
    }

    @Nested
    class OfDemonstrations extends RewardLearnerContract {
        @Override
        protected RewardLearner learner(RunContext context) {
            InversePrmConfig config =
                    InversePrmConfig.builder()
                            .epochs(3)
                            .learningRate(0.1)
                            .maxGradientNorm(10)
                            .microBatchTokens(64)
                            .holdOut(0)
                            .build();
            return new InversePrmProvider().create(config, Wiring.none(), context);
        }
    }
}
