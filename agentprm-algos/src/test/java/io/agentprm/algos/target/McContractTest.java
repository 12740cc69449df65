package io.agentprm.algos.target;

import io.agentprm.api.run.Metrics;
import io.agentprm.api.target.TargetEstimator;
import io.agentprm.testkit.TargetEstimatorContract;
import org.junit.jupiter.api.Nested;

/** Monte Carlo targets keep the contract of estimators, in each of their main settings. */
class McContractTest {
    @Nested
    class WithDefaults extends TargetEstimatorContract {
        @Override
        protected TargetEstimator openEstimator() {
            return McEstimator.of(McConfig.defaults(), Metrics.none());
        }
    }

    @Nested
    class Unsigned extends TargetEstimatorContract {
        @Override
        protected TargetEstimator openEstimator() {
            return McEstimator.of(
                    McConfig.defaults()
                            .with(McConfig.Mapping.UNSIGNED)
                            .with(McConfig.Grouping.NONE),
                    Metrics.none());
        }
    }

    @Nested
    class Bootstrapping extends TargetEstimatorContract {
        @Override
        protected TargetEstimator openEstimator() {
            return McEstimator.bootstrapping(
                    McConfig.defaults().with(McConfig.Truncated.BOOTSTRAP),
                    trajectory -> 0.7,
                    Metrics.none());
        }

        @Override
        protected boolean bootstraps() {
            return true;
        }
    }
}
