package io.agentprm.testkit;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.api.lm.AgentModels;
import io.agentprm.api.plugin.AgentModelsProvider;
import io.agentprm.api.run.RunContext;

/** The model family {@code tabular}. */
public final class TabularFamilyProvider
        implements AgentModelsProvider<TabularFamilyProvider.Config> {
    /** Configuration. */
    @Description("Tabular models for a toy process.")
    public record Config(
            @Description("The process whose words the models know.") @Default("house")
                    ToyProcess process,
            @Description("Whether policies may only choose admissible actions.") @Default("false")
                    boolean constrained,
            @Description("Sampling temperature of policies; 0 is greedy.") @Default("1.0")
                    double temperature) {}

    @Override
    public String name() {
        return "tabular";
    }

    @Override
    public String description() {
        return "Tabular models that start from replies of the right form, for tests.";
    }

    @Override
    public Class<Config> configuration() {
        return Config.class;
    }

    @Override
    public AgentModels create(Config configuration, RunContext context) {
        return new TabularFamily(configuration);
    }
}
