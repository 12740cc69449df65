package io.agentprm.engine.djl;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.agentprm.api.IoReasons;
import io.agentprm.lm.checkpoint.ModelDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/**
 * Holds the engine against numbers that the real Hugging Face code wrote for a model: every block
 * of the file is computed, its largest deviation reported beside its tolerance. A block of an
 * unknown kind fails, for what is not checked must not pass.
 */
public final class ModelCheck {
    private static final Set<String> NOT_NUMBERS =
            Set.of("model", "base", "adapter", "produced_by", "f64_check");

    private interface Block {
        void check(CheckReport report, JsonNode block);
    }

    private final DjlEngine engine;

    /** A check with an engine, of which precision F32 on one thread reproduces the numbers best. */
    public ModelCheck(DjlEngine engine) {
        this.engine = engine;
    }

    /**
     * Checks a model.
     *
     * @param directory model directory; it needs no tokenizer
     * @param expected gzipped JSON of expected numbers
     * @param adapter LoRA adapter that the numbers belong to
     * @param out receives a line for each quantity
     * @return whether every deviation is within its tolerance and every block known
     * @throws DjlEngineException if the file of numbers cannot be read
     */
    public boolean run(Path directory, Path expected, Optional<Path> adapter, Appendable out) {
        JsonNode json = read(expected);
        ModelDirectory model = ModelDirectory.open(directory);
        CheckedModel checked = new CheckedModel(engine, model, adapter, json);
        CheckReport report = new CheckReport(out);
        Map<String, Block> blocks = blocks(checked);
        if (adapter.isPresent() != json.has("adapter")) {
            report.fail(
                    "adapter",
                    adapter.isPresent()
                            ? "the numbers are of a model without adapter"
                            : "the numbers are of a model with an adapter; name its directory");
        }
        for (Map.Entry<String, JsonNode> entry : json.properties()) {
            if (!NOT_NUMBERS.contains(entry.getKey())) {
                Block block = blocks.get(entry.getKey());
                if (block == null) {
                    report.fail(entry.getKey(), "a block of unknown kind was not checked");
                } else {
                    report.within(entry.getKey(), r -> block.check(r, entry.getValue()));
                }
            }
        }
        return report.passed();
    }

    private static Map<String, Block> blocks(CheckedModel model) {
        ForwardCheck forward = new ForwardCheck(model);
        TrainingCheck training = new TrainingCheck(model);
        ClassifierCheck classifier = new ClassifierCheck(model);
        AdapterCheck adapter = new AdapterCheck(model);
        Map<String, Block> blocks = new LinkedHashMap<>();
        blocks.put("param_names", forward::parameterNames);
        blocks.put("rope", forward::rotaryFrequencies);
        blocks.put("forward", forward::forward);
        blocks.put("batch", forward::batch);
        blocks.put("greedy", forward::greedy);
        blocks.put("dpo", training::preference);
        if (model.adapter().isPresent()) {
            blocks.put("sft", adapter::fineTuning);
            blocks.put("scale", adapter::scale);
            blocks.put("adapter_tensors", adapter::tensors);
        } else {
            blocks.put("sft", training::fineTuning);
        }
        blocks.put("right_padded", classifier::padded);
        blocks.put("left_padded", classifier::padded);
        blocks.put("single_unpadded_logits", classifier::single);
        blocks.put("pad_id_as_last_real_token", classifier::padAsLast);
        blocks.put("soft_bce", classifier::softTargets);
        blocks.put("hf_default_mse_loss_with_labels", classifier::squaredError);
        return blocks;
    }

    private static JsonNode read(Path file) {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return JsonMapper.builder().build().readTree(in);
        } catch (IOException e) {
            throw new DjlEngineException(
                    "cannot read the expected numbers in "
                            + file
                            + " (gzipped JSON): "
                            + IoReasons.of(e),
                    e);
        }
    }
}
