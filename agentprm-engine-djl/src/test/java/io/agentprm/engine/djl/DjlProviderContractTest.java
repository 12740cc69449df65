package io.agentprm.engine.djl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.agentprm.api.plugin.Provider;
import io.agentprm.testkit.ProviderContract;
import org.junit.jupiter.api.Test;

class DjlProviderContractTest extends ProviderContract {
    @Override
    protected Provider<?> provider() {
        return new DjlEngineProvider();
    }

    @Test
    void aValueThatIsOutOfRangeIsRefusedByItsKey() {
        DjlConfig good = DjlConfig.defaults();
        assertEquals(
                "logit-megabytes must be at least 1, was 0",
                assertThrows(IllegalArgumentException.class, () -> good.withLogitMegabytes(0))
                        .getMessage());
        assertEquals(
                "threads must be at least 0, was -1",
                assertThrows(IllegalArgumentException.class, () -> good.withThreads(-1))
                        .getMessage());
    }
}
