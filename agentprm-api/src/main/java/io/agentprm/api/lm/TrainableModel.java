package io.agentprm.api.lm;

import io.agentprm.api.Experimental;
import java.nio.file.Path;
import java.util.List;

/** A model whose weights can change. */
@Experimental(since = "1.0")
public interface TrainableModel extends LanguageModel {
    /**
     * One optimiser step: forward, loss, backward over micro-batches, clipping, update. A step
     * whose loss or gradient is not finite changes nothing and says so; too many in a row are an
     * error.
     */
    UpdateReport step(List<TrainingRow> batch, LossFunction loss, UpdateOptions options);

    /** A frozen copy of the weights as they are now, to be closed by the caller. */
    LanguageModel snapshot();

    /**
     * Writes weights, optimiser state and counters into an empty directory, so that {@link
     * #restoreCheckpoint} goes on bit-equal.
     */
    void saveCheckpoint(Path directory);

    /** Takes over everything that {@link #saveCheckpoint} wrote. */
    void restoreCheckpoint(Path directory);

    /**
     * Writes the model as a model directory (configuration, weights, tokenizer) that engines load;
     * whole or not at all.
     */
    void save(Path directory);
}
