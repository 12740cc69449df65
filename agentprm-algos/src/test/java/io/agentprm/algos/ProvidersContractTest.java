package io.agentprm.algos;

import io.agentprm.algos.optim.OnlineDpoProvider;
import io.agentprm.algos.optim.SftProvider;
import io.agentprm.algos.policy.BestOfNProvider;
import io.agentprm.algos.policy.MajorityVoteProvider;
import io.agentprm.algos.policy.RandomChoiceProvider;
import io.agentprm.algos.reward.InversePrmProvider;
import io.agentprm.algos.reward.PrmProvider;
import io.agentprm.algos.target.McProvider;
import io.agentprm.algos.target.TdGaeProvider;
import io.agentprm.api.plugin.Provider;
import io.agentprm.testkit.ProviderContract;
import org.junit.jupiter.api.Nested;

/** Every provider of this module keeps the contract of providers. */
class ProvidersContractTest {
    @Nested
    class Mc extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new McProvider();
        }
    }

    @Nested
    class TdGae extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new TdGaeProvider();
        }
    }

    @Nested
    class Prm extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new PrmProvider();
        }
    }

    @Nested
    class InversePrm extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new InversePrmProvider();
        }
    }

    @Nested
    class Sft extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new SftProvider();
        }
    }

    @Nested
    class OnlineDpo extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new OnlineDpoProvider();
        }
    }

    @Nested
    class BestOfN extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new BestOfNProvider();
        }
    }

    @Nested
    class MajorityVote extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new MajorityVoteProvider();
        }
    }

    @Nested
    class RandomChoice extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new RandomChoiceProvider();
        }
    }
}
