package io.agentprm.env.webshop.suite;

import io.agentprm.api.plugin.Provider;
import io.agentprm.testkit.ProviderContract;
import org.junit.jupiter.api.Nested;

/** The providers of this module keep the contract of providers. */
class ProvidersContractTest {
    @Nested
    class Shop extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new WebshopProvider();
        }
    }

    @Nested
    class Shoppers extends ProviderContract {
        @Override
        protected Provider<?> provider() {
            return new ShopperProvider();
        }
    }
}
