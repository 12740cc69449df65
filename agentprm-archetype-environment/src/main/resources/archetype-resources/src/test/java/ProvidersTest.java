package ${package};

import io.agentprm.api.plugin.Provider;
import io.agentprm.testkit.ProviderContract;
import org.junit.jupiter.api.Nested;

class ProvidersTest {
    @Nested
    class OfTheEnvironment extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new ${className}Provider();
        }
    }

    @Nested
    class OfTheNovice extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new NoviceProvider();
        }
    }
}
