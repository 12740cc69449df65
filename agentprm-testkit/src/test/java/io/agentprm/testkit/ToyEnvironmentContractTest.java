package io.agentprm.testkit;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.Environment;

class ToyEnvironmentContractTest extends EnvironmentContract {
    @Override
    protected Environment openEnvironment() {
        return ToyEnvironment.of(ToyMdp.stochasticHouse(), 6);
    }

    @Override
    protected Action invalidAction() {
        return Action.text("fly");
    }
}
