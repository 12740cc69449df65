package io.agentprm.lm.agent;

import io.agentprm.api.plugin.Provider;
import io.agentprm.testkit.ProviderContract;

/** The provider keeps the contract of providers. */
class TransformerProviderTest extends ProviderContract {
    @Override
    protected Provider<?> provider() {
        return new TransformerProvider();
    }
}
