package cottage;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.api.env.Environment;
import io.agentprm.api.plugin.EnvironmentProvider;
import io.agentprm.api.run.RunContext;

/** The environment {@code cottage}. */
public final class CottageProvider implements EnvironmentProvider<CottageProvider.Config> {
    /** Configuration. */
    public record Config(@Description("Tasks of each split.") @Default("20") int tasks) {}

    @Override
    public String name() {
        return "cottage";
    }

    @Override
    public String description() {
        return "From the hall to the kitchen, and open the cupboard there.";
    }

    @Override
    public Class<Config> configuration() {
        return Config.class;
    }

    @Override
    public Environment create(Config configuration, RunContext context) {
        return new Cottage(configuration.tasks());
    }
}
