package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.plugin.Provider;
import io.agentprm.testkit.ProviderContract;
import org.junit.jupiter.api.Test;

class OnnxProviderContractTest extends ProviderContract {
    @Override
    protected Provider<?> provider() {
        return new OnnxEngineProvider();
    }

    @Test
    void aValueThatIsOutOfRangeIsRefusedByItsKey() {
        String message =
                assertThrows(IllegalArgumentException.class, () -> TestEngine.config(-1, 512))
                        .getMessage();
        assertEquals("packed-megabytes must be at least 0, was -1", message);
        assertTrue(
                assertThrows(IllegalArgumentException.class, () -> TestEngine.config(0, 0))
                        .getMessage()
                        .startsWith("cache-megabytes must be at least 1"));
    }
}
