package io.agentprm.env.alfworld.suite;

import io.agentprm.api.env.Task;
import io.agentprm.api.plugin.Components;
import io.agentprm.api.plugin.PolicyProvider;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RunContext;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.expert.ExpertOptions;
import io.agentprm.env.alfworld.expert.HouseholdExpert;
import io.agentprm.env.alfworld.expert.PlacementPrior;
import io.agentprm.env.alfworld.household.Blueprint;
import io.agentprm.env.alfworld.household.Household;
import java.util.ArrayList;
import java.util.List;

/** The policy {@code alfworld-expert}: experts of the run's own household games. */
public final class ExpertProvider implements PolicyProvider<ExpertOptions> {
    @Override
    public String name() {
        return "alfworld-expert";
    }

    @Override
    public String description() {
        return "Experts of household games, for demonstrations: explorer, planner, random.";
    }

    @Override
    public Class<ExpertOptions> configuration() {
        return ExpertOptions.class;
    }

    /**
     * Makes an expert.
     *
     * @throws AlfworldException if the run's environment is not {@code alfworld}, or lacks the
     *     split that the explorer is to learn from
     */
    @Override
    public Policy create(ExpertOptions configuration, Components components, RunContext context) {
        return switch (configuration.kind()) {
            case RANDOM -> HouseholdExpert.random();
            case PLANNER -> planner(suite(components), configuration);
            case EXPLORER ->
                    HouseholdExpert.explorer(
                            prior(suite(components), configuration),
                            configuration,
                            context.random().derive(name()));
        };
    }

    private static Policy planner(AlfworldEnvironment suite, ExpertOptions options) {
        return HouseholdExpert.planner(task -> Blueprint.of(suite.game(task).problem()), options);
    }

    private static PlacementPrior prior(AlfworldEnvironment suite, ExpertOptions options) {
        List<Task> tasks = suite.tasks(options.priorSplit());
        int wanted = options.priorGames();
        int number = wanted == 0 ? tasks.size() : Math.min(wanted, tasks.size());
        List<Household> games = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            Task task = tasks.get((int) ((long) i * tasks.size() / number));
            games.add(Household.of(suite.game(task).problem()));
        }
        return PlacementPrior.of(games);
    }

    private AlfworldEnvironment suite(Components components) {
        if (components.environment() instanceof AlfworldEnvironment suite) {
            return suite;
        }
        throw new AlfworldException(
                "policy "
                        + name()
                        + " plays the environment alfworld only, not "
                        + components.environment().info().name());
    }
}
