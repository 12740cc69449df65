package io.agentprm.core.pipeline;

import io.agentprm.api.env.Environment;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.plugin.Components;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.rollout.Rollouts;

/** Notes whether the policy was asked for, which tells a way of choosing from a policy. */
final class NotedComponents implements Components {
    private final Components components;
    private boolean policyAsked;

    NotedComponents(Components components) {
        this.components = components;
    }

    boolean policyAsked() {
        return policyAsked;
    }

    @Override
    public Environment environment() {
        return components.environment();
    }

    @Override
    public Policy policy() {
        policyAsked = true;
        return components.policy();
    }

    @Override
    public RewardModel rewardModel() {
        return components.rewardModel();
    }

    @Override
    public InferenceEngine engine() {
        return components.engine();
    }

    @Override
    public Rollouts rollouts() {
        return components.rollouts();
    }
}
