package io.agentprm.engine.onnx;

import io.agentprm.lm.checkpoint.AtomicDirectory;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.Tensors;
import java.nio.file.Path;

/**
 * Writes model directories for ONNX Runtime: {@code model.onnx}, its weights beside it in {@code
 * model.onnx.data} (so that they may exceed the 2 GB of a protobuf), and the source's
 * configuration, tokenizer and template. The engine {@code onnx} loads the result by name like any
 * other model.
 */
public final class OnnxExport {
    private OnnxExport() {}

    /**
     * Exports a model; whole or not at all.
     *
     * @param source a model directory; an adapter is merged into its base
     * @param target must not exist, or be empty
     * @throws io.agentprm.lm.LanguageModelException if the source is not a model directory or the
     *     target cannot be written
     */
    public static void write(Path source, Path target, Precision precision) {
        ModelDirectory model = ModelDirectory.open(source);
        try (Tensors tensors = model.openWeights()) {
            OnnxModel exported =
                    new OnnxModel(
                            model.config(),
                            tensors,
                            precision,
                            Orders.ofExport(model.config(), precision));
            AtomicDirectory.create(
                    target,
                    directory -> {
                        model.copyWithoutWeights(directory);
                        exported.write(directory);
                    });
        }
    }
}
