package io.agentprm.lm.agent;

import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.trajectory.EpisodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the score head at the end of turn of each decision's reply. */
final class ModelRewardModel implements RewardModel {
    private final String id;
    private final LanguageModel model;
    private final StateRenderer renderer;

    ModelRewardModel(String id, LanguageModel model, StateRenderer renderer) {
        this.id = id;
        this.model = model;
        this.renderer = renderer;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public ScoreScale scale() {
        return ScoreScale.LOGIT;
    }

    @Override
    public List<double[]> score(List<ScoringRequest> requests) {
        List<ContinuationRequest> prompts = new ArrayList<>(requests.size());
        for (ScoringRequest request : requests) {
            prompts.add(
                    new ContinuationRequest(
                            renderer.state(request.state()),
                            request.decisions().stream().map(renderer::reply).toList(),
                            Optional.of(ModelPolicy.conversation(request.episode()))));
        }
        return model.score(prompts);
    }

    @Override
    public void release(EpisodeId episode) {
        model.release(ModelPolicy.conversation(episode));
    }

    @Override
    public void close() {
        model.close();
    }
}
