package io.agentprm.testkit;

import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.lm.UpdateReport;
import java.nio.file.Path;
import java.util.List;

/** A good model that trains, to be broken by overriding one method. */
class WrappedTrainable extends WrappedModel implements TrainableModel {
    private final TrainableModel trainable;

    WrappedTrainable(TrainableModel trainable) {
        super(trainable);
        this.trainable = trainable;
    }

    @Override
    public UpdateReport step(List<TrainingRow> batch, LossFunction loss, UpdateOptions options) {
        return trainable.step(batch, loss, options);
    }

    @Override
    public LanguageModel snapshot() {
        return trainable.snapshot();
    }

    @Override
    public void saveCheckpoint(Path directory) {
        trainable.saveCheckpoint(directory);
    }

    @Override
    public void restoreCheckpoint(Path directory) {
        trainable.restoreCheckpoint(directory);
    }

    @Override
    public void save(Path directory) {
        trainable.save(directory);
    }
}
