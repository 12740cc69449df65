package io.agentprm.engine.djl;

import io.agentprm.lm.check.CheckBlock;
import io.agentprm.lm.check.ReferenceCheck;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Holds the engine against numbers that the real Hugging Face code wrote: {@link ReferenceCheck}.
 */
public final class ModelCheck {
    private final DjlEngine engine;

    /** A check with an engine, of which precision F32 on one thread reproduces the numbers best. */
    public ModelCheck(DjlEngine engine) {
        this.engine = engine;
    }

    /**
     * Checks a model.
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
        CheckedModel model = new CheckedModel(engine, check, adapter);
        return check.run(model, training(model), out);
    }

    private static Map<String, CheckBlock> training(CheckedModel model) {
        TrainingCheck training = new TrainingCheck(model);
        Map<String, CheckBlock> blocks = new HashMap<>();
        blocks.put("dpo", training::preference);
        blocks.put("soft_bce", training::softTargets);
        blocks.put(
                "sft",
                model.adapter().isPresent()
                        ? new AdapterCheck(training)::fineTuning
                        : training::fineTuning);
        return blocks;
    }
}
