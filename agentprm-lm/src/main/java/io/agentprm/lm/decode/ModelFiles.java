package io.agentprm.lm.decode;

import io.agentprm.api.lm.Tokenizer;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.tokenizer.Tokenizers;
import java.util.List;

/**
 * What a model has besides its weights, read once.
 *
 * @param name the directory's name
 * @param stopTokenIds tokens at which generation stops
 */
public record ModelFiles(String name, Tokenizer tokenizer, List<Integer> stopTokenIds) {
    public ModelFiles {
        stopTokenIds = List.copyOf(stopTokenIds);
    }

    public static ModelFiles read(ModelDirectory directory) {
        return new ModelFiles(
                directory.path().toAbsolutePath().normalize().getFileName().toString(),
                Tokenizers.open(directory),
                directory.stopTokenIds());
    }
}
