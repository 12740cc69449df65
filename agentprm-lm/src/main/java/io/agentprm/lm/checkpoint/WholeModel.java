package io.agentprm.lm.checkpoint;

import io.agentprm.lm.LanguageModelException;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes models as whole ones: an adapter merged into its base's weights, and all of them in one
 * file, as other tools want them.
 */
public final class WholeModel {
    private WholeModel() {}

    /**
     * Copies a model.
     *
     * @param target must not exist
     * @param type {@link ElementType#F32}, or {@link ElementType#BF16} (rounded to nearest even)
     * @throws LanguageModelException if something cannot be read or written
     */
    public static ModelDirectory write(ModelDirectory source, Path target, ElementType type) {
        try (Tensors weights = source.openWeights()) {
            List<TensorData> tensors =
                    source.config().tensors().stream()
                            .map(spec -> TensorData.from(weights, spec.name()))
                            .toList();
            return ModelDirectory.create(
                    target, source.config(), tensors, type, source.companions());
        }
    }
}
