package io.agentprm.core.pipeline;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;

/** Which episodes are played to learn from. */
@Description("Episodes of the current policy to learn from.")
public record CollectionConfig(
        @Description("Split of the tasks.") @Default("train") String split,
        @Description(
                        "Number of tasks of an iteration, drawn anew for each by the seed; 0 takes all.")
                @Default("0")
                int tasks,
        @Description("Episodes of each task.") @Default("8") int episodes,
        @Description("Sampling temperature.") @Default("1.0") double temperature,
        @Description(
                        "Probability, in [0, 1), of any admissible action in place of the policy's, so that"
                                + " the reward model learns the value of actions that the policy hardly ever"
                                + " takes.")
                @Default("0")
                double exploration,
        @Description("Tasks of a shard: what is played together and redone after a kill.")
                @Default("32")
                int shardTasks) {
    /** Checks the ranges. */
    public CollectionConfig {
        Range.atLeast(0, "tasks", tasks);
        Range.atLeast(1, "episodes", episodes);
        Range.atLeast(1, "shard-tasks", shardTasks);
        Range.atLeast(0, "temperature", temperature);
        Range.share("exploration", exploration);
    }
}
