package io.agentprm.core.pipeline;

import io.agentprm.core.config.ComponentConfig;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A way of acting: a policy, bare or with a reward model and a way of choosing.
 *
 * @param kind the way, the same for every policy: {@code policy}, {@code best-of-n}
 * @param policyId such as {@code pi-0}
 * @param policy model directory of the policy
 * @param temperature sampling temperature of a bare policy; negative leaves it to the policy
 * @param rewardModelId such as {@code Q-0}; empty text for a bare policy
 * @param rewardModel model directory of the reward model
 * @param chooser the policy provider that chooses
 */
record Agent(
        String kind,
        String policyId,
        Path policy,
        double temperature,
        String rewardModelId,
        Optional<Path> rewardModel,
        Optional<ComponentConfig> chooser) {

    static Agent bare(String policyId, Path policy, double temperature) {
        return new Agent(
                "policy", policyId, policy, temperature, "", Optional.empty(), Optional.empty());
    }

    Agent choosing(String way, ComponentConfig chooser, String rewardModelId, Path rewardModel) {
        return new Agent(
                way,
                policyId,
                policy,
                -1,
                rewardModelId,
                Optional.of(rewardModel),
                Optional.of(chooser));
    }

    /** Such as {@code pi-0} or {@code best-of-n(pi-0, Q-0)}. */
    String title() {
        if (chooser.isEmpty()) {
            return policyId;
        }
        return kind + "(" + policyId + (rewardModelId.isEmpty() ? "" : ", " + rewardModelId) + ")";
    }
}
