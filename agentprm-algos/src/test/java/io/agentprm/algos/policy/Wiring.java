package io.agentprm.algos.policy;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.api.env.Environment;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.plugin.Components;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.rollout.Rollouts;
import java.util.Optional;

/** Components given by hand. */
public final class Wiring implements Components {
    private final Optional<Policy> policy;
    private final Optional<RewardModel> rewardModel;

    private Wiring(Optional<Policy> policy, Optional<RewardModel> rewardModel) {
        this.policy = policy;
        this.rewardModel = rewardModel;
    }

    /** No components at all. */
    public static Wiring none() {
        return new Wiring(Optional.empty(), Optional.empty());
    }

    public static Wiring of(Policy policy) {
        return new Wiring(Optional.of(policy), Optional.empty());
    }

    public static Wiring of(Policy policy, RewardModel rewardModel) {
        return new Wiring(Optional.of(policy), Optional.of(rewardModel));
    }

    private static AlgorithmException missing(String what) {
        return new AlgorithmException("this test has no " + what);
    }

    @Override
    public Environment environment() {
        throw missing("environment");
    }

    @Override
    public Policy policy() {
        return policy.orElseThrow(() -> missing("policy"));
    }

    @Override
    public RewardModel rewardModel() {
        return rewardModel.orElseThrow(() -> missing("reward model"));
    }

    @Override
    public InferenceEngine engine() {
        throw missing("engine");
    }

    @Override
    public Rollouts rollouts() {
        throw missing("rollouts");
    }
}
