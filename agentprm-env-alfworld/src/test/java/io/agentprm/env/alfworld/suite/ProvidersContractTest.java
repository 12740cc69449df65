package io.agentprm.env.alfworld.suite;

import io.agentprm.api.plugin.Provider;
import io.agentprm.testkit.ProviderContract;
import org.junit.jupiter.api.Nested;

/** The providers of this module keep the contract of providers. */
class ProvidersContractTest {
    @Nested
    class Games extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new AlfworldProvider();
        }
    }

    @Nested
    class Expert extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new ExpertProvider();
        }
    }
}
