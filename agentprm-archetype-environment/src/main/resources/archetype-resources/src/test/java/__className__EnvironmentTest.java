package ${package};

import io.agentprm.api.env.Action;
import io.agentprm.api.env.Environment;
import io.agentprm.api.run.RunContext;
import io.agentprm.testkit.EnvironmentContract;

class ${className}EnvironmentTest extends EnvironmentContract {
    @Override
    protected Environment openEnvironment() {
        return new ${className}Provider()
                .create(new ${className}Config(6, 20, 3), RunContext.ofSeed(1));
    }

    @Override
    protected Action invalidAction() {
        return Action.text("seventeen and a half");
    }
}
