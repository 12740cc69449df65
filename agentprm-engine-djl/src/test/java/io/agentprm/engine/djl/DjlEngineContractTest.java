package io.agentprm.engine.djl;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.lm.testing.TinyModels;
import io.agentprm.testkit.InferenceEngineContract;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The engine keeps the contract of engines. */
class DjlEngineContractTest extends InferenceEngineContract {
    @TempDir Path models;

    @Override
    protected InferenceEngine openEngine() {
        return TestEngine.open();
    }

    @Override
    protected Path modelDirectory() {
        Path model = models.resolve("contract");
        if (!Files.exists(model)) {
            TinyModels.create(models, "contract", 3);
        }
        return model;
    }
}
