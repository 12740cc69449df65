package io.agentprm.cli.play;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.trajectory.EpisodeId;
import java.util.List;

/** A reward model that closes its engine with itself. */
record OwningRewardModel(RewardModel model, InferenceEngine engine) implements RewardModel {
    @Override
    public String id() {
        return model.id();
    }

    @Override
    public ScoreScale scale() {
        return model.scale();
    }

    @Override
    public List<double[]> score(List<ScoringRequest> requests) {
        return model.score(requests);
    }

    @Override
    public void release(EpisodeId episode) {
        model.release(episode);
    }

    @Override
    public void close() {
        try (engine) {
            model.close();
        }
    }
}
