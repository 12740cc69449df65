package io.agentprm.testkit;

import io.agentprm.api.plugin.Provider;
import io.agentprm.api.policy.Policy;
import org.junit.jupiter.api.Nested;

/** The testkit's own providers and policies keep the contracts. */
class ToyPluginsContractTest {
    @Nested
    class Environments extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new ToyEnvironmentProvider();
        }
    }

    @Nested
    class Engine extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new TabularEngineProvider();
        }
    }

    @Nested
    class Family extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new TabularFamilyProvider();
        }
    }

    @Nested
    class Expert extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new ToyExpertProvider();
        }
    }

    @Nested
    class Table extends PolicyContract {
        @Override
        protected Policy openPolicy() {
            ToyMdp mdp = ToyMdp.house();
            return TabularPolicy.of(
                    "table",
                    TabularModel.sgd(mdp.tokenizer(), mdp.replyPrior()),
                    ToyRenderer.of(mdp.tokenizer()));
        }
    }
}
