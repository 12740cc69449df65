package io.agentprm.engine.djl;

import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.testkit.TrainableModelContract;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** An adapter over a frozen base keeps the contract of trainable models. */
class LoraModelContractTest extends TrainableModelContract {
    @TempDir Path dir;

    @Override
    protected TrainableModel openModel() {
        Path adapter = dir.resolve("adapter");
        if (!Files.exists(adapter)) {
            LoraModels.adapter(
                    adapter, LoraModels.base(dir), LoraModels.lora(0, LoraModels.ALL), true, 3);
        }
        return TestEngine.open().loadTrainable(adapter, OptimizerOptions.adamW(0));
    }
}
