package ${package};

import io.agentprm.api.config.Description;
import io.agentprm.api.plugin.Components;
import io.agentprm.api.plugin.PolicyProvider;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RunContext;

/** The policy {@code ${environmentName}-novice}. */
public final class NoviceProvider implements PolicyProvider<NoviceProvider.Config> {
    /** It has no settings. */
    @Description("Any action that is possible, each as likely as the others.")
    public record Config() {}

    @Override
    public String name() {
        return "${environmentName}-novice";
    }

    @Override
    public String description() {
        return "Any action that is possible, each as likely as the others.";
    }

    @Override
    public Class<Config> configuration() {
        return Config.class;
    }

    @Override
    public Policy create(Config configuration, Components components, RunContext context) {
        return new Novice();
    }
}
