package org.example.corridor;

import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Decides from what was seen in the episode, as a trained agent would. */
final class Porter implements Policy {
    private static final String NOTE = "The note says ";

    private final double noise;

    Porter(double noise) {
        this.noise = noise;
    }

    @Override
    public String id() {
        return "corridor-porter";
    }

    @Override
    public List<List<Decision>> decide(List<DecisionRequest> requests) {
        List<List<Decision>> result = new ArrayList<>();
        for (DecisionRequest request : requests) {
            List<Decision> decisions = new ArrayList<>();
            for (int i = 0; i < request.samples(); i++) {
                decisions.add(decide(request.state(), request.random().derive(i).generator()));
            }
            result.add(decisions);
        }
        return result;
    }

    private Decision decide(State state, RandomGenerator random) {
        List<String> possible =
                state.observation().admissibleActions().orElse(List.of("go on"));
        if (random.nextDouble() < noise) {
            return Decision.of(possible.get(random.nextInt(possible.size())));
        }
        Optional<String> colour = colour(state);
        if (colour.isEmpty()) {
            return Decision.of(possible.contains("read note") ? "read note" : "go back");
        }
        boolean there = state.observation().text().contains(" " + colour.get() + " door");
        if (there) {
            return Decision.of("open door");
        }
        return Decision.of(possible.contains("go on") ? "go on" : "go back");
    }

    /** The colour that was read, from the latest observation back. */
    private static Optional<String> colour(State state) {
        for (Optional<State> s = Optional.of(state); s.isPresent(); s = s.get().previous()) {
            String text = s.get().observation().text();
            if (text.startsWith(NOTE)) {
                return Optional.of(text.substring(NOTE.length(), text.length() - 1));
            }
        }
        return Optional.empty();
    }
}
