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
 * @param judge the reward model that the choice may ask; absent for a bare policy
 * @param chooser the policy provider that chooses
 */
record Agent(
        String kind,
        String policyId,
        Path policy,
        double temperature,
        Optional<Judge> judge,
        Optional<ComponentConfig> chooser) {

    static Agent bare(String policyId, Path policy, double temperature) {
        return new Agent(
                "policy", policyId, policy, temperature, Optional.empty(), Optional.empty());
    }

    Agent choosing(String way, ComponentConfig chooser, Judge judge) {
        return new Agent(way, policyId, policy, -1, Optional.of(judge), Optional.of(chooser));
    }

    /** Such as {@code Q-0}; empty text where there is none. */
    String rewardModelId() {
        return judge.map(Judge::id).orElse("");
    }

    /** Such as {@code pi-0} or {@code best-of-n(pi-0, Q-0)}. */
    String title() {
        if (chooser.isEmpty()) {
            return policyId;
        }
        return kind + "(" + policyId + judge.map(by -> ", " + by.id()).orElse("") + ")";
    }
}
