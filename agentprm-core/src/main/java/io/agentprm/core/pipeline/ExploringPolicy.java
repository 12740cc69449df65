package io.agentprm.core.pipeline;

import io.agentprm.api.env.Action;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.core.RunException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Another policy that now and then takes any admissible action instead, marked as not deliberate.
 * So a reward model learns the value of actions too that the policy hardly ever takes, and that a
 * policy optimised against it might otherwise come to prefer unpunished.
 *
 * @param share probability of such an action, in [0, 1)
 */
record ExploringPolicy(Policy policy, double share) implements Policy {
    @Override
    public String id() {
        return policy.id();
    }

    @Override
    public List<List<Decision>> decide(List<DecisionRequest> requests) {
        List<List<Decision>> decided = new ArrayList<>();
        List<List<Decision>> own = policy.decide(requests);
        for (int r = 0; r < requests.size(); r++) {
            List<Decision> decisions = new ArrayList<>();
            for (int sample = 0; sample < own.get(r).size(); sample++) {
                RandomGenerator draws =
                        requests.get(r).random().derive("exploration").derive(sample).generator();
                decisions.add(
                        draws.nextDouble() < share
                                ? any(requests.get(r), draws)
                                : own.get(r).get(sample));
            }
            decided.add(List.copyOf(decisions));
        }
        return decided;
    }

    private static Decision any(DecisionRequest request, RandomGenerator draws) {
        List<String> admissible =
                request.state().observation().admissibleActions().orElse(List.of());
        if (admissible.isEmpty()) {
            throw new RunException(
                    "an observation of "
                            + request.state().task()
                            + " lists no admissible actions, so there is none to explore; set"
                            + " loop.rollouts.exploration to 0");
        }
        String action = admissible.get(draws.nextInt(admissible.size()));
        return Decision.builder(Action.text(action)).deliberate(false).build();
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
