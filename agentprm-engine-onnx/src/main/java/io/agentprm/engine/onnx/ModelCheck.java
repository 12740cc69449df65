package io.agentprm.engine.onnx;

import io.agentprm.lm.check.ReferenceCheck;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Holds the engine against numbers that the real Hugging Face code wrote: {@link ReferenceCheck}.
 */
public final class ModelCheck {
    private final OnnxEngine engine;

    /** A check with an engine, of which precision F32 on one thread reproduces the numbers best. */
    public ModelCheck(OnnxEngine engine) {
        this.engine = engine;
    }

    /**
     * Checks a model. Losses, gradients and hidden states are reported as not checked.
     *
     * @param directory model directory; it needs no tokenizer
     * @param expected expected numbers as JSON, gzipped or not
     * @param adapter LoRA adapter that the numbers belong to
     * @param out receives a line for each quantity
     * @return whether every deviation is within its tolerance and every block known
     * @throws io.agentprm.lm.LanguageModelException if the file of numbers cannot be read
     */
    public boolean run(Path directory, Path expected, Optional<Path> adapter, Appendable out) {
        ReferenceCheck check = ReferenceCheck.open(directory, expected, adapter);
        try (Network network = engine.network(check.model(), adapter)) {
            return check.run(new CheckedModel(network, check.model().config()), out);
        }
    }
}
