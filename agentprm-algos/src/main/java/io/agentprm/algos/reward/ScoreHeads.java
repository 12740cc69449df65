package io.agentprm.algos.reward;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.api.lm.LanguageModel;

/** What every learner asks of its model. */
final class ScoreHeads {
    private ScoreHeads() {}

    static void require(LanguageModel model) {
        if (!model.info().hasScoreHead()) {
            throw new AlgorithmException(
                    "model "
                            + model.info().name()
                            + " has no score head: a process reward model needs one");
        }
    }
}
