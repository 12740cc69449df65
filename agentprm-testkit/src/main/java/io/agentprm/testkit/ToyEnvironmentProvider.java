package io.agentprm.testkit;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.api.env.Environment;
import io.agentprm.api.plugin.EnvironmentProvider;
import io.agentprm.api.run.RunContext;

/** The environment {@code toy-mdp}. */
public final class ToyEnvironmentProvider
        implements EnvironmentProvider<ToyEnvironmentProvider.Config> {
    /** Configuration. */
    @Description("A tiny Markov decision process for tests.")
    public record Config(
            @Description("Which process.") @Default("house") ToyProcess process,
            @Description("Number of tasks of each split, at least 1.") @Default("8")
                    int tasksPerSplit) {}

    @Override
    public String name() {
        return "toy-mdp";
    }

    @Override
    public String description() {
        return "A tiny Markov decision process with known optimal values, for tests.";
    }

    @Override
    public Class<Config> configuration() {
        return Config.class;
    }

    @Override
    public Environment create(Config configuration, RunContext context) {
        return ToyEnvironment.of(configuration.process().mdp(), configuration.tasksPerSplit());
    }
}
