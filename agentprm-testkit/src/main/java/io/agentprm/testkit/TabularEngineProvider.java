package io.agentprm.testkit;

import io.agentprm.api.config.Description;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.plugin.InferenceEngineProvider;
import io.agentprm.api.run.RunContext;
import java.nio.file.Path;

/** The engine {@code tabular}: loads what {@link TabularModel#save} wrote. */
public final class TabularEngineProvider
        implements InferenceEngineProvider<TabularEngineProvider.Config> {
    /** Configuration. */
    @Description("Tables in the JVM's heap; nothing to configure.")
    public record Config() {}

    private static final class TabularEngine implements InferenceEngine {
        @Override
        public String device() {
            return "cpu";
        }

        @Override
        public LanguageModel load(Path directory) {
            return TabularModel.loadFrozen(directory);
        }

        @Override
        public TrainableModel loadTrainable(Path directory, OptimizerOptions options) {
            return TabularModel.load(directory, options);
        }

        @Override
        public boolean trains() {
            return true;
        }

        @Override
        public void close() {}
    }

    @Override
    public String name() {
        return "tabular";
    }

    @Override
    public String description() {
        return "Tables of one softmax and one score per token prefix, for tests.";
    }

    @Override
    public Class<Config> configuration() {
        return Config.class;
    }

    @Override
    public InferenceEngine create(Config configuration, RunContext context) {
        return new TabularEngine();
    }
}
