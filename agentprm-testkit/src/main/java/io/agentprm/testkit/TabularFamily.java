package io.agentprm.testkit;

import io.agentprm.api.lm.AgentModels;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.LanguagePolicy;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainablePolicy;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Trajectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Tabular models of a toy process. */
final class TabularFamily implements AgentModels {
    private static final int REPLY_LIMIT = 4;

    private final TabularFamilyProvider.Config configuration;

    TabularFamily(TabularFamilyProvider.Config configuration) {
        this.configuration = configuration;
    }

    @Override
    public void initialise(Path target, List<Trajectory> corpus, RandomSource random) {
        ToyMdp mdp = configuration.process().mdp();
        try (TabularModel model = TabularModel.sgd(mdp.tokenizer(), mdp.replyPrior())) {
            model.save(target);
        }
    }

    @Override
    public void addScoreHead(Path policy, Path target, RandomSource random) {
        try {
            Files.createDirectories(target);
            for (String file : List.of(TabularModel.VOCABULARY, TabularModel.WEIGHTS)) {
                Files.copy(policy.resolve(file), target.resolve(file));
            }
        } catch (IOException e) {
            throw new TestkitException("cannot copy " + policy + " to " + target, e);
        }
    }

    @Override
    public StateRenderer renderer(LanguageModel model) {
        return ToyRenderer.of(model.tokenizer());
    }

    @Override
    public LanguagePolicy policy(String id, LanguageModel model) {
        return tabular(id, model);
    }

    @Override
    public TrainablePolicy trainablePolicy(String id, TrainableModel model) {
        return tabular(id, model);
    }

    private TabularPolicy tabular(String id, LanguageModel model) {
        if (!(model instanceof TabularModel table)) {
            throw new TestkitException("the tabular family needs a tabular model, not " + model);
        }
        TabularPolicy policy =
                TabularPolicy.of(id, table, renderer(model))
                        .with(new Sampling(configuration.temperature(), 1, REPLY_LIMIT));
        return configuration.constrained() ? policy.constrained() : policy;
    }

    @Override
    public RewardModel rewardModel(String id, LanguageModel model) {
        return TabularRewardModel.of(id, model, renderer(model));
    }
}
