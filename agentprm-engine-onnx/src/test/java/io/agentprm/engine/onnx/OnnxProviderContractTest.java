package io.agentprm.engine.onnx;

import io.agentprm.api.plugin.Provider;
import io.agentprm.testkit.ProviderContract;

class OnnxProviderContractTest extends ProviderContract {
    @Override
    protected Provider<?> provider() {
        return new OnnxEngineProvider();
    }
}
