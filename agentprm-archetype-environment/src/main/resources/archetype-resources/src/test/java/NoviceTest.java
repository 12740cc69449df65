package ${package};

import io.agentprm.api.policy.Policy;
import io.agentprm.testkit.PolicyContract;

class NoviceTest extends PolicyContract {
    @Override
    protected Policy openPolicy() {
        return new Novice();
    }
}
