package io.agentprm.api.lm;

import io.agentprm.api.Experimental;
import java.nio.file.Path;
import java.util.Optional;

/** Loads models from model directories. */
@Experimental(since = "1.0")
public interface InferenceEngine extends AutoCloseable {
    /** Effective device, such as {@code cpu}. */
    String device();

    /**
     * The native library that computes the numbers, with its version as it was loaded, such as
     * {@code PyTorch 2.7.1}; empty if another process computes them. Runs record it: their numbers
     * are the same for the same library, device and thread count.
     */
    default Optional<String> library() {
        return Optional.empty();
    }

    /** Loads a model for inference. */
    LanguageModel load(Path directory);

    /**
     * Loads a model for training.
     *
     * @throws UnsupportedOperationException if the engine does not train; {@link #trains} tells
     *     before
     */
    default TrainableModel loadTrainable(Path directory, OptimizerOptions options) {
        throw new UnsupportedOperationException(
                "this engine does not train; use one that does, such as djl");
    }

    default boolean trains() {
        return false;
    }

    @Override
    void close();
}
