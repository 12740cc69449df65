package io.agentprm.core.pipeline;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.core.config.ComponentConfig;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** An agent and the episodes that it is judged on. */
@Description("An agent and the episodes that it is judged on.")
public record EvaluationJob(
        @Description("Environment with the tasks.") ComponentConfig environment,
        @Description("Engine that runs the models.") ComponentConfig engine,
        @Description("How the agent's models are rendered and decoded.") ComponentConfig models,
        @Description("Name of the policy.") String policy,
        @Description("Model directory of the policy.") Path policyModel,
        @Description("Sampling temperature of the bare policy; 0 is greedy.") @Default("0.3")
                double temperature,
        @Description("How decisions are chosen; absent for the bare policy.")
                Optional<ComponentConfig> chooser,
        @Description("Reward model that the choice asks for, in place of one of a model directory.")
                Optional<ComponentConfig> judge,
        @Description("Name of the reward model that the choice asks for.")
                Optional<String> rewardModel,
        @Description("Its model directory.") Optional<Path> rewardModelDirectory,
        @Description(
                        "Learner that trained it, which says what its scores mean; log-odds if absent.")
                Optional<ComponentConfig> learner,
        @Description("Split of the tasks.") String split,
        @Description("Number of tasks, drawn by the seed; 0 takes all.") @Default("0") int tasks,
        @Description("Episodes of each task.") @Default("1") int episodes,
        @Description("Seed of tasks and episodes; the same as a run's gives the run's pairs.")
                @Default("1")
                long seed,
        @Description("Number of shards played at the same time. Changes no result.") @Default("2")
                int workers) {
    static final Set<String> HARMLESS = Set.of("workers");

    /** Checks the ranges. */
    public EvaluationJob {
        Range.atLeast(0, "temperature", temperature);
        Range.atLeast(0, "tasks", tasks);
        Range.atLeast(1, "episodes", episodes);
        Range.atLeast(1, "workers", workers);
    }

    Agent agent() {
        Agent bare = Agent.bare(policy, policyModel, temperature);
        return chooser.map(
                        way -> new Agent(way.name(), policy, policyModel, -1, chosenBy(), chooser))
                .orElse(bare);
    }

    private Optional<Judge> chosenBy() {
        return judge.<Judge>map(Judge.Configured::new)
                .or(
                        () ->
                                rewardModelDirectory.map(
                                        model -> new Judge.Trained(rewardModel.orElse(""), model)));
    }
}
