package ${package};

import io.agentprm.api.env.Environment;
import io.agentprm.api.plugin.EnvironmentProvider;
import io.agentprm.api.run.RunContext;

/** The environment {@code ${environmentName}}. */
public final class ${className}Provider implements EnvironmentProvider<${className}Config> {
    @Override
    public String name() {
        return "${environmentName}";
    }

    @Override
    public String description() {
        return "A number is looked for; every try tells whether it is higher or lower.";
    }

    @Override
    public Class<${className}Config> configuration() {
        return ${className}Config.class;
    }

    @Override
    public Environment create(${className}Config configuration, RunContext context) {
        return new ${className}Environment(configuration);
    }
}
