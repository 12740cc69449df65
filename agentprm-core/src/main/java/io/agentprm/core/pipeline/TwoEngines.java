package io.agentprm.core.pipeline;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.run.RunContext;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.plugin.ComponentFactory;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Runs models on one engine and trains them on another; model directories go between the two.
 *
 * @param running loads models to run
 * @param trainer name of the engine that trains
 * @param training loads models to train
 */
record TwoEngines(InferenceEngine running, String trainer, InferenceEngine training)
        implements InferenceEngine {
    private static final ComponentConfig USUAL_TRAINER = ComponentConfig.of("djl");

    /**
     * Opens the engine of a run: one that does both, or two.
     *
     * @param trainer who trains; absent where it is the same engine, or the usual one because that
     *     engine does not train
     */
    static InferenceEngine open(
            ComponentConfig engine,
            Optional<ComponentConfig> trainer,
            ComponentFactory factory,
            RunContext context) {
        InferenceEngine running = factory.engine(engine, context);
        if (trainer.isEmpty() && running.trains()) {
            return running;
        }
        ComponentConfig chosen = trainer.orElse(USUAL_TRAINER);
        try {
            return new TwoEngines(running, chosen.name(), factory.engine(chosen, context));
        } catch (RuntimeException e) {
            running.close();
            throw e;
        }
    }

    @Override
    public String device() {
        return running.device();
    }

    @Override
    public Optional<String> library() {
        return running.library();
    }

    @Override
    public LanguageModel load(Path directory) {
        return running.load(directory);
    }

    @Override
    public TrainableModel loadTrainable(Path directory, OptimizerOptions options) {
        return training.loadTrainable(directory, options);
    }

    @Override
    public boolean trains() {
        return training.trains();
    }

    @Override
    public void close() {
        try (running) {
            training.close();
        }
    }
}
