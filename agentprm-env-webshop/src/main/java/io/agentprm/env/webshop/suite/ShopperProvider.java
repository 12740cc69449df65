package io.agentprm.env.webshop.suite;

import io.agentprm.api.plugin.Components;
import io.agentprm.api.plugin.PolicyProvider;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RunContext;
import io.agentprm.env.webshop.expert.Shopper;
import io.agentprm.env.webshop.expert.ShopperOptions;

/** The policy {@code webshop-shopper}: an expert, rules as baselines, and chance. */
public final class ShopperProvider implements PolicyProvider<ShopperOptions> {
    @Override
    public String name() {
        return "webshop-shopper";
    }

    @Override
    public String description() {
        return "Shoppers for demonstrations and baselines: expert, first hit, hasty, random.";
    }

    @Override
    public Class<ShopperOptions> configuration() {
        return ShopperOptions.class;
    }

    @Override
    public Policy create(ShopperOptions configuration, Components components, RunContext context) {
        return new Shopper(configuration);
    }
}
