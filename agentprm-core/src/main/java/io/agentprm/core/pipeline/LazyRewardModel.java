package io.agentprm.core.pipeline;

import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.trajectory.EpisodeId;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A reward model that is loaded when it is first asked something, and closed if it was. */
final class LazyRewardModel implements RewardModel {
    private final String id;
    private final Supplier<RewardModel> loader;
    private Optional<RewardModel> loaded = Optional.empty();

    LazyRewardModel(String id, Supplier<RewardModel> loader) {
        this.id = id;
        this.loader = loader;
    }

    private RewardModel model() {
        if (loaded.isEmpty()) {
            loaded = Optional.of(loader.get());
        }
        return loaded.get();
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public ScoreScale scale() {
        return model().scale();
    }

    @Override
    public List<double[]> score(List<ScoringRequest> requests) {
        return model().score(requests);
    }

    @Override
    public void release(EpisodeId episode) {
        loaded.ifPresent(model -> model.release(episode));
    }

    @Override
    public void close() {
        loaded.ifPresent(RewardModel::close);
    }
}
