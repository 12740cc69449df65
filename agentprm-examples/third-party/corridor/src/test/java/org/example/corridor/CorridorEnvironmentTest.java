package org.example.corridor;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.Environment;
import io.agentprm.api.run.RunContext;
import io.agentprm.testkit.EnvironmentContract;

class CorridorEnvironmentTest extends EnvironmentContract {
    @Override
    protected Environment openEnvironment() {
        return new CorridorProvider()
                .create(new CorridorConfig(4, 20, 10), RunContext.ofSeed(1));
    }

    @Override
    protected Action invalidAction() {
        return Action.text("fly to the moon");
    }
}
