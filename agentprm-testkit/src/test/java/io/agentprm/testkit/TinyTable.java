package io.agentprm.testkit;

import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.run.RandomSource;
import java.util.List;
import java.util.random.RandomGenerator;

/** A tabular model of random weights, the same at every call; ids 3 to 9 are ordinary tokens. */
final class TinyTable {
    private TinyTable() {}

    static TabularModel adamW() {
        WordTokenizer tokenizer = tokenizer();
        return TabularModel.adamW(tokenizer, prior(tokenizer), OptimizerOptions.adamW(0));
    }

    static TabularModel sgd() {
        WordTokenizer tokenizer = tokenizer();
        return TabularModel.sgd(tokenizer, prior(tokenizer));
    }

    private static WordTokenizer tokenizer() {
        return WordTokenizer.of(List.of("a", "b", "c", "d", "e", "f", "g"));
    }

    private static double[][] prior(WordTokenizer tokenizer) {
        RandomGenerator random = RandomSource.of(1).generator();
        double[][] prior = new double[tokenizer.vocabularySize()][];
        for (int i = 0; i < prior.length; i++) {
            prior[i] = random.doubles(prior.length, -1, 1).toArray();
        }
        return prior;
    }
}
