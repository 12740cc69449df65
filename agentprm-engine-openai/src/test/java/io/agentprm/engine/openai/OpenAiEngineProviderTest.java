package io.agentprm.engine.openai;

import io.agentprm.api.plugin.Provider;
import io.agentprm.testkit.ProviderContract;

/** The provider keeps the contract of providers. */
class OpenAiEngineProviderTest extends ProviderContract {
    @Override
    protected Provider<?> provider() {
        return new OpenAiEngineProvider();
    }
}
