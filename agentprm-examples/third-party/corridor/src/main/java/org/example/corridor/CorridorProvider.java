package org.example.corridor;

import io.agentprm.api.env.Environment;
import io.agentprm.api.plugin.EnvironmentProvider;
import io.agentprm.api.run.RunContext;

/** The environment {@code corridor}. */
public final class CorridorProvider implements EnvironmentProvider<CorridorConfig> {
    @Override
    public String name() {
        return "corridor";
    }

    @Override
    public String description() {
        return "A corridor of coloured doors; a note says behind which one to deliver a parcel.";
    }

    @Override
    public Class<CorridorConfig> configuration() {
        return CorridorConfig.class;
    }

    @Override
    public Environment create(CorridorConfig configuration, RunContext context) {
        return new CorridorEnvironment(configuration);
    }
}
