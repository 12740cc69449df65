package io.agentprm.env.alfworld.expert;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.Task;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.household.Blueprint;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * An expert as a policy. Its purposeful actions are deliberate; random ones, from noise or for want
 * of a better idea, are marked as not deliberate. It takes over from any history, its own or not.
 * Random actions leave out {@code help}, whose answer is long and never changes.
 */
public final class HouseholdExpert implements Policy {
    private static final String HELP = "help";

    private final String id;
    private final Guide guide;
    private final double noise;

    private HouseholdExpert(String id, Guide guide, double noise) {
        this.id = id;
        this.guide = guide;
        this.noise = noise;
    }

    /**
     * Explores by what it sees.
     *
     * @param prior where things lay in the training games
     * @param random stream of its search order; read only if that is random
     */
    public static HouseholdExpert explorer(
            PlacementPrior prior, ExpertOptions options, RandomSource random) {
        return new HouseholdExpert(
                options.id(), new Explorer(prior, options, random), options.noise());
    }

    /**
     * Plans with full knowledge of the games, whatever the task's sentence says.
     *
     * @param blueprints the problem behind each task
     */
    public static HouseholdExpert planner(
            Function<Task, Blueprint> blueprints, ExpertOptions options) {
        return new HouseholdExpert(options.id(), new Omniscient(blueprints), options.noise());
    }

    /** Takes any admissible action. */
    public static HouseholdExpert random() {
        return new HouseholdExpert("random", (request, admissible) -> Optional.empty(), 0);
    }

    @Override
    public String id() {
        return id;
    }

    /**
     * Decides.
     *
     * @throws AlfworldException if the observation does not list the admissible actions, or the
     *     task's sentence is not understood
     */
    @Override
    public List<List<Decision>> decide(List<DecisionRequest> requests) {
        List<List<Decision>> decided = new ArrayList<>();
        for (DecisionRequest request : requests) {
            List<Decision> decisions = new ArrayList<>();
            for (int sample = 0; sample < request.samples(); sample++) {
                decisions.add(decide(request, request.random().derive(sample).generator()));
            }
            decided.add(List.copyOf(decisions));
        }
        return decided;
    }

    private Decision decide(DecisionRequest request, RandomGenerator draws) {
        List<String> admissible =
                request.state()
                        .observation()
                        .admissibleActions()
                        .orElseThrow(
                                () ->
                                        new AlfworldException(
                                                "the observation of "
                                                        + request.state().task()
                                                        + " lists no admissible actions, which"
                                                        + " experts need; let the environment list"
                                                        + " them"));
        Optional<String> purposeful =
                draws.nextDouble() < noise
                        ? Optional.empty()
                        : guide.next(request, new LinkedHashSet<>(admissible));
        return purposeful.map(Decision::of).orElseGet(() -> stray(admissible, draws));
    }

    private static Decision stray(List<String> admissible, RandomGenerator draws) {
        List<String> choice = admissible.stream().filter(a -> !a.equals(HELP)).toList();
        if (choice.isEmpty()) {
            throw new AlfworldException("no action is admissible, so the episode cannot go on");
        }
        String action = choice.get(draws.nextInt(choice.size()));
        return Decision.builder(Action.text(action)).deliberate(false).build();
    }
}
