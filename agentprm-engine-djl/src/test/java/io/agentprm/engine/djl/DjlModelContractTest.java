package io.agentprm.engine.djl;

import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.lm.testing.TinyModels;
import io.agentprm.testkit.TrainableModelContract;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class DjlModelContractTest extends TrainableModelContract {
    @TempDir Path dir;

    @Override
    protected TrainableModel openModel() {
        Path model = dir.resolve("contract");
        if (!Files.exists(model)) {
            TinyModels.create(dir, "contract", 3);
        }
        return TestEngine.open().loadTrainable(model, OptimizerOptions.adamW(0));
    }
}
