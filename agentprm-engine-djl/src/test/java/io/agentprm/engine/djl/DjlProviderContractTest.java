package io.agentprm.engine.djl;

import io.agentprm.api.plugin.Provider;
import io.agentprm.testkit.ProviderContract;

class DjlProviderContractTest extends ProviderContract {
    @Override
    protected Provider<?> provider() {
        return new DjlEngineProvider();
    }
}
