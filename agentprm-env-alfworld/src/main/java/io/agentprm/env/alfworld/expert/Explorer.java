package io.agentprm.env.alfworld.expert;

import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.State;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.household.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Explores with what the agent has seen so far. */
final class Explorer implements Guide {
    private final PlacementPrior prior;
    private final ExpertOptions options;
    private final RandomSource random;

    Explorer(PlacementPrior prior, ExpertOptions options, RandomSource random) {
        this.prior = prior;
        this.options = options;
        this.random = random;
    }

    @Override
    public Optional<String> next(DecisionRequest request, Set<String> admissible) {
        State state = request.state();
        List<String> observations = new ArrayList<>();
        state.history().forEach(past -> observations.add(past.observation().text()));
        observations.add(state.observation().text());
        RandomSource episode =
                random.derive(request.episode().task()).derive(request.episode().episode());
        return new Exploration(
                        goal(state, observations.get(0)),
                        Memory.of(observations),
                        admissible,
                        new Search(prior, options.order(), episode),
                        options.patience())
                .next();
    }

    private static Goal goal(State state, String intro) {
        return Goal.parse(state.instruction())
                .or(() -> Goal.parse(intro))
                .orElseThrow(
                        () ->
                                new AlfworldException(
                                        "the exploring expert does not understand the task '"
                                                + state.instruction()
                                                + "' of "
                                                + state.task()
                                                + "; it reads the games' own sentences only, so use"
                                                + " the planner with goals in people's words"));
    }
}
