package io.agentprm.core.pipeline;

import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import java.util.List;

/** A choosing policy that closes the policy and the reward model which it was made of. */
record OwningPolicy(Policy choosing, Policy base, RewardModel rewardModel) implements Policy {
    @Override
    public String id() {
        return choosing.id();
    }

    @Override
    public List<List<Decision>> decide(List<DecisionRequest> requests) {
        return choosing.decide(requests);
    }

    @Override
    public void release(EpisodeId episode) {
        choosing.release(episode);
    }

    @Override
    public void close() {
        try (base;
                rewardModel) {
            choosing.close();
        }
    }
}
