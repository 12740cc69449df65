package ${package};

import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.trajectory.Decision;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Knows what can be done, and nothing about what is good. The first agent learns from it how actions
 * are written; a policy that knows more gives a better start.
 */
final class Novice implements Policy {
    @Override
    public String id() {
        return "${environmentName}-novice";
    }

    @Override
    public List<List<Decision>> decide(List<DecisionRequest> requests) {
        return requests.stream().map(Novice::decide).toList();
    }

    private static List<Decision> decide(DecisionRequest request) {
        List<String> possible =
                request.state().observation().admissibleActions().orElse(List.of("1"));
        return IntStream.range(0, request.samples())
                .mapToObj(i -> any(possible, request.random().derive(i).generator()))
                .toList();
    }

    private static Decision any(List<String> possible, RandomGenerator random) {
        return Decision.of(possible.get(random.nextInt(possible.size())));
    }
}
