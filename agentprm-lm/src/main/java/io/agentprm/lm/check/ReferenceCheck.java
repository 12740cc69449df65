package io.agentprm.lm.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.agentprm.api.IoReasons;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.checkpoint.LoraAdapter;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import java.io.BufferedInputStream;
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
 * Holds an engine against numbers that the real Hugging Face code wrote for a model: every block of
 * the file is computed, its largest deviation reported beside its tolerance. A block of an unknown
 * kind fails, for what is not checked must not pass. What an engine cannot do is reported as not
 * checked.
 */
public final class ReferenceCheck {
    private static final Set<String> NOT_NUMBERS =
            Set.of("model", "base", "adapter", "produced_by", "f64_check");

    /** Blocks of which only an engine that trains computes all, or anything. */
    private static final Set<String> TRAINED = Set.of("sft", "dpo", "soft_bce");

    private final ModelDirectory model;
    private final Optional<Path> adapter;
    private final JsonNode numbers;

    private ReferenceCheck(ModelDirectory model, Optional<Path> adapter, JsonNode numbers) {
        this.model = model;
        this.adapter = adapter;
        this.numbers = numbers;
    }

    /**
     * Opens a file of numbers.
     *
     * @param directory model directory; it needs no tokenizer
     * @param expected expected numbers as JSON, gzipped or not
     * @param adapter LoRA adapter that the numbers belong to
     * @throws LanguageModelException if the file of numbers cannot be read
     */
    public static ReferenceCheck open(Path directory, Path expected, Optional<Path> adapter) {
        return new ReferenceCheck(ModelDirectory.open(directory), adapter, read(expected));
    }

    public ModelDirectory model() {
        return model;
    }

    public Optional<LoraAdapter> adapter() {
        return adapter.map(path -> LoraAdapter.read(path, model.config()));
    }

    /** A block of the file. */
    public JsonNode block(String name) {
        return numbers.path(name);
    }

    /**
     * Checks an engine that does not train.
     *
     * @param out receives a line for each quantity
     * @return whether every deviation is within its tolerance and every block known
     */
    public boolean run(Subject subject, Appendable out) {
        return run(subject, Map.of(), out);
    }

    /**
     * Checks an engine that trains.
     *
     * @param training compares losses, gradients and updates, by block
     * @param out receives a line for each quantity
     * @return whether every deviation is within its tolerance and every block known
     */
    public boolean run(Subject subject, Map<String, CheckBlock> training, Appendable out) {
        CheckReport report = new CheckReport(out);
        Map<String, CheckBlock> blocks = blocks(subject);
        if (adapter.isPresent() != numbers.has("adapter")) {
            report.fail(
                    "adapter",
                    adapter.isPresent()
                            ? "the numbers are of a model without adapter"
                            : "the numbers are of a model with an adapter; name its directory");
        }
        for (Map.Entry<String, JsonNode> entry : numbers.properties()) {
            if (!NOT_NUMBERS.contains(entry.getKey())) {
                check(report, entry.getKey(), entry.getValue(), blocks, training);
            }
        }
        if (NOT_NUMBERS.containsAll(
                numbers.properties().stream().map(Map.Entry::getKey).toList())) {
            report.fail("numbers", "there are none in the file");
        }
        return report.passed();
    }

    private static void check(
            CheckReport report,
            String name,
            JsonNode numbers,
            Map<String, CheckBlock> blocks,
            Map<String, CheckBlock> training) {
        boolean forward = blocks.containsKey(name);
        boolean trained = training.containsKey(name);
        if (!forward && !trained && !TRAINED.contains(name)) {
            report.fail(name, "a block of unknown kind was not checked");
            return;
        }
        if (TRAINED.contains(name) && !trained) {
            report.skip(name, "losses, gradients and updates, since the engine does not train");
        }
        if (forward || trained) {
            report.within(
                    name,
                    r -> {
                        if (forward) {
                            blocks.get(name).check(r, numbers);
                        }
                        if (trained) {
                            training.get(name).check(r, numbers);
                        }
                    });
        }
    }

    private Map<String, CheckBlock> blocks(Subject subject) {
        ModelConfig config = model.config();
        ForwardCheck forward = new ForwardCheck(config, subject);
        ClassifierCheck classifier = new ClassifierCheck(config, subject, numbers);
        Map<String, CheckBlock> blocks = new LinkedHashMap<>();
        blocks.put("param_names", forward::parameterNames);
        blocks.put("rope", forward::rotaryFrequencies);
        blocks.put("forward", forward::forward);
        blocks.put("batch", forward::batch);
        blocks.put("greedy", forward::greedy);
        adapter()
                .ifPresent(
                        own -> {
                            blocks.put("scale", AdapterFactors.scale(own));
                            blocks.put(
                                    "adapter_tensors", AdapterFactors.tensors(own, model.config()));
                        });
        blocks.put("right_padded", classifier::padded);
        blocks.put("left_padded", classifier::padded);
        blocks.put("single_unpadded_logits", classifier::single);
        blocks.put("pad_id_as_last_real_token", classifier::padAsLast);
        blocks.put("soft_bce", classifier::softTargets);
        blocks.put("hf_default_mse_loss_with_labels", classifier::squaredError);
        return blocks;
    }

    private static JsonNode read(Path file) {
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file));
                InputStream in = isGzip(bytes) ? new GZIPInputStream(bytes) : bytes) {
            return JsonMapper.builder().build().readTree(in);
        } catch (IOException e) {
            throw new LanguageModelException(
                    "cannot read the expected numbers in "
                            + file
                            + " (JSON, gzipped or not): "
                            + IoReasons.of(e),
                    e);
        }
    }

    /** By the first two bytes (RFC 1952, section 2.3.1), which are read again. */
    private static boolean isGzip(InputStream in) throws IOException {
        in.mark(2);
        boolean gzip = in.read() == 0x1f && in.read() == 0x8b;
        in.reset();
        return gzip;
    }
}
