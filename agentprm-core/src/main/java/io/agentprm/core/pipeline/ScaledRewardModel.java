package io.agentprm.core.pipeline;

import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.trajectory.EpisodeId;
import java.util.List;

/**
 * A reward model whose scores mean what its learner says, not what its head could mean.
 *
 * @param model what scores; closed with this one
 * @param scale {@link io.agentprm.api.optim.RewardLearner#scale} of the learner that trained it
 */
public record ScaledRewardModel(RewardModel model, ScoreScale scale) implements RewardModel {
    @Override
    public String id() {
        return model.id();
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
        model.close();
    }
}
