package io.agentprm.lm.gguf;

import io.agentprm.lm.checkpoint.AtomicDirectory;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.Tensors;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes model directories for llama.cpp: {@code model.gguf}, which holds configuration,
 * vocabulary, chat template and weights, and beside it the source's configuration and tokenizer,
 * which the engine {@code openai} reads when the model is served.
 */
public final class GgufExport {
    /** Name of the file that llama.cpp loads. */
    public static final String FILE = "model.gguf";

    private static final Logger LOG = LoggerFactory.getLogger(GgufExport.class);

    private GgufExport() {}

    /**
     * Exports a model; whole or not at all.
     *
     * @param source a model directory whose tokenizer is byte-level BPE
     * @param target must not exist, or be empty
     * @throws io.agentprm.lm.LanguageModelException if the source is not a model directory, has a
     *     part that llama.cpp lacks (an embedding of earlier tokens, a score head), or the target
     *     cannot be written
     */
    public static void write(Path source, Path target, GgufPrecision precision) {
        ModelDirectory model = ModelDirectory.open(source);
        Architecture architecture = Architecture.of(model.config(), source);
        Vocabulary vocabulary = Vocabulary.of(model);
        if (!vocabulary.cutsAlike()) {
            LOG.warn(
                    "llama.cpp cuts texts otherwise than the tokenizer of {}: send it token ids, as"
                            + " the engine openai does",
                    source);
        }
        Metadata metadata = new Metadata();
        architecture.describe(metadata);
        metadata.number("general.file_type", precision.fileType())
                .number("general.quantization_version", 2);
        vocabulary.describe(metadata);
        try (Tensors weights = model.openWeights()) {
            List<GgufTensor> tensors = architecture.tensors(weights, precision);
            AtomicDirectory.create(
                    target,
                    directory -> {
                        model.copyWithoutWeights(directory);
                        GgufFile.write(directory.resolve(FILE), metadata, tensors);
                    });
        }
    }
}
