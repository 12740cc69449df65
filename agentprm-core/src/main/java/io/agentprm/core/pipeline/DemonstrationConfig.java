package io.agentprm.core.pipeline;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.core.config.ComponentConfig;

/** Where demonstrations come from. */
@Description("Episodes played by an expert.")
public record DemonstrationConfig(
        @Description("Policy that demonstrates.") ComponentConfig expert,
        @Description("Split of the demonstrated tasks.") @Default("train") String split,
        @Description("Number of tasks, drawn by the seed; 0 takes all.") @Default("0") int tasks,
        @Description("Episodes of each task.") @Default("1") int episodes,
        @Description("Whether failed demonstrations are left out.") @Default("true")
                boolean successfulOnly) {
    /** Checks the ranges. */
    public DemonstrationConfig {
        Range.atLeast(0, "tasks", tasks);
        Range.atLeast(1, "episodes", episodes);
    }
}
