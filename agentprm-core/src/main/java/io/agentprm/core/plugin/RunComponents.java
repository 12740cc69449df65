package io.agentprm.core.plugin;

import io.agentprm.api.env.Environment;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.plugin.Components;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.rollout.Rollouts;
import io.agentprm.core.RunException;
import java.util.Optional;

/** The components that a run has so far. Immutable; closes nothing. */
public final class RunComponents implements Components {
    private final Builder parts;

    private RunComponents(Builder parts) {
        this.parts = parts;
    }

    public static Builder builder() {
        return new Builder();
    }

    public Builder toBuilder() {
        return new Builder(parts);
    }

    @Override
    public Environment environment() {
        return present(parts.environment, "environment");
    }

    @Override
    public Policy policy() {
        return present(parts.policy, "policy");
    }

    @Override
    public RewardModel rewardModel() {
        return present(parts.rewardModel, "reward model");
    }

    @Override
    public InferenceEngine engine() {
        return present(parts.engine, "inference engine");
    }

    @Override
    public Rollouts rollouts() {
        return present(parts.rollouts, "rollouts");
    }

    private static <T> T present(Optional<T> part, String title) {
        return part.orElseThrow(
                () ->
                        new RunException(
                                "a component asks for the run's "
                                        + title
                                        + ", but the run has none at this point: configure one, or"
                                        + " use a component that does without"));
    }

    /** Builder of components. */
    public static final class Builder {
        private Optional<Environment> environment = Optional.empty();
        private Optional<Policy> policy = Optional.empty();
        private Optional<RewardModel> rewardModel = Optional.empty();
        private Optional<InferenceEngine> engine = Optional.empty();
        private Optional<Rollouts> rollouts = Optional.empty();

        private Builder() {}

        private Builder(Builder other) {
            environment = other.environment;
            policy = other.policy;
            rewardModel = other.rewardModel;
            engine = other.engine;
            rollouts = other.rollouts;
        }

        public Builder environment(Environment value) {
            environment = Optional.of(value);
            return this;
        }

        public Builder policy(Policy value) {
            policy = Optional.of(value);
            return this;
        }

        public Builder rewardModel(RewardModel value) {
            rewardModel = Optional.of(value);
            return this;
        }

        public Builder engine(InferenceEngine value) {
            engine = Optional.of(value);
            return this;
        }

        public Builder rollouts(Rollouts value) {
            rollouts = Optional.of(value);
            return this;
        }

        public RunComponents build() {
            return new RunComponents(new Builder(this));
        }
    }
}
