package org.example.corridor;

import io.agentprm.api.plugin.Provider;
import io.agentprm.testkit.ProviderContract;

class CorridorProviderTest extends ProviderContract {
    @Override
    protected Provider<?> provider() {
        return new CorridorProvider();
    }
}
