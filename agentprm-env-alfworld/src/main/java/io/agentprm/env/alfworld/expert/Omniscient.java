package io.agentprm.env.alfworld.expert;

import io.agentprm.api.env.Task;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.env.alfworld.household.Blueprint;
import io.agentprm.env.alfworld.household.Step;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Plans from the game's full state, which it follows through the history. */
final class Omniscient implements Guide {
    private static final List<String> PUTTING = List.of("move %s to %s", "put %s in/on %s");

    private final Function<Task, Blueprint> blueprints;

    Omniscient(Function<Task, Blueprint> blueprints) {
        this.blueprints = blueprints;
    }

    @Override
    public Optional<String> next(DecisionRequest request, Set<String> admissible) {
        Tracker tracker = new Tracker(blueprints.apply(request.state().task()));
        request.state().history().forEach(past -> tracker.read(past.observation().text()));
        tracker.read(request.state().observation().text());
        Optional<Step> step =
                Planner.plan(tracker.now()).flatMap(steps -> steps.stream().findFirst());
        return step.flatMap(
                first ->
                        PUTTING.stream()
                                .map(putting -> first.command(tracker.names(), putting))
                                .filter(admissible::contains)
                                .findFirst());
    }
}
