package io.agentprm.lm.decode;

import io.agentprm.api.lm.Tokenizer;
import io.agentprm.lm.checkpoint.CompanionFiles;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.tokenizer.Tokenizers;
import java.util.List;

/**
 * What a model has besides its weights, read once.
 *
 * @param name the directory's name
 * @param companions the files beside the weights, for whoever saves the model
 * @param stopTokenIds tokens at which generation stops
 */
public record ModelFiles(
        String name, Tokenizer tokenizer, CompanionFiles companions, List<Integer> stopTokenIds) {
    public ModelFiles {
        stopTokenIds = List.copyOf(stopTokenIds);
    }

    public static ModelFiles read(ModelDirectory directory) {
        return new ModelFiles(
                directory.path().toAbsolutePath().normalize().getFileName().toString(),
                Tokenizers.open(directory),
                directory.companions(),
                directory.stopTokenIds());
    }
}
