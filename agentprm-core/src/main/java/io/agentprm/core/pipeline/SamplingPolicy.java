package io.agentprm.core.pipeline;

import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import java.util.List;

/** Another policy with a way of sampling where requests do not say. */
record SamplingPolicy(Policy policy, Sampling sampling) implements Policy {
    @Override
    public String id() {
        return policy.id();
    }

    @Override
    public List<List<Decision>> decide(List<DecisionRequest> requests) {
        return policy.decide(
                requests.stream()
                        .map(r -> r.sampling().isPresent() ? r : r.with(sampling))
                        .toList());
    }

    @Override
    public void release(EpisodeId episode) {
        policy.release(episode);
    }

    @Override
    public void close() {
        policy.close();
    }
}
