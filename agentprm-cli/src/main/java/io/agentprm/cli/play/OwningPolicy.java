package io.agentprm.cli.play;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import java.util.List;

/** A policy that closes its engine with itself. */
record OwningPolicy(Policy policy, InferenceEngine engine) implements Policy {
    @Override
    public String id() {
        return policy.id();
    }

    @Override
    public List<List<Decision>> decide(List<DecisionRequest> requests) {
        return policy.decide(requests);
    }

    @Override
    public void release(EpisodeId episode) {
        policy.release(episode);
    }

    @Override
    public void close() {
        try (engine) {
            policy.close();
        }
    }
}
