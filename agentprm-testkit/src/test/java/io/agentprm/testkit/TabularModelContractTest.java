package io.agentprm.testkit;

import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.run.RandomSource;
import java.util.List;
import java.util.random.RandomGenerator;

class TabularModelContractTest extends TrainableModelContract {
    @Override
    protected TrainableModel openModel() {
        WordTokenizer tokenizer = WordTokenizer.of(List.of("a", "b", "c", "d", "e", "f", "g"));
        RandomGenerator random = RandomSource.of(1).generator();
        double[][] prior = new double[tokenizer.vocabularySize()][];
        for (int i = 0; i < prior.length; i++) {
            prior[i] = random.doubles(prior.length, -1, 1).toArray();
        }
        return TabularModel.adamW(tokenizer, prior, OptimizerOptions.adamW(0));
    }

    @Override
    protected double tolerance() {
        return 1e-12;
    }
}
