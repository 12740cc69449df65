package io.agentprm.testkit;

import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.reward.ScoringRequest;
import java.util.List;
import java.util.Optional;

/** A reward model around any language model with a score head; scores are log-odds. */
public final class TabularRewardModel implements RewardModel {
    private final String id;
    private final LanguageModel model;
    private final StateRenderer renderer;

    private TabularRewardModel(String id, LanguageModel model, StateRenderer renderer) {
        this.id = id;
        this.model = model;
        this.renderer = renderer;
    }

    public static TabularRewardModel of(String id, LanguageModel model, StateRenderer renderer) {
        return new TabularRewardModel(id, model, renderer);
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
        return model.score(
                requests.stream()
                        .map(
                                request ->
                                        new ContinuationRequest(
                                                renderer.state(request.state()),
                                                request.decisions().stream()
                                                        .map(renderer::reply)
                                                        .toList(),
                                                Optional.empty()))
                        .toList());
    }

    @Override
    public void close() {
        model.close();
    }
}
