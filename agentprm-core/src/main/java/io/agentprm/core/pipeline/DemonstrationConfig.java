package io.agentprm.core.pipeline;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.core.config.ComponentConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where demonstrations come from. */
@Description("Episodes that show how it is done: played by an expert, or read from files.")
public record DemonstrationConfig(
        @Description("Policy that demonstrates, unless files are given.")
                Optional<ComponentConfig> expert,
        @Description(
                        "Files of episodes that exist already, such as a person's (JSON Lines), or"
                                + " directories of such files, in place of an expert. All of their"
                                + " episodes are taken: split, tasks and episodes do not count.")
                List<Path> files,
        @Description("Split of the demonstrated tasks.") @Default("train") String split,
        @Description("Number of tasks, drawn by the seed; 0 takes all.") @Default("0") int tasks,
        @Description("Episodes of each task.") @Default("1") int episodes,
        @Description("Whether failed demonstrations are left out.") @Default("true")
                boolean successfulOnly) {
    /** Checks the ranges. */
    public DemonstrationConfig {
        Range.atLeast(0, "tasks", tasks);
        Range.atLeast(1, "episodes", episodes);
        if (expert.isPresent() != files.isEmpty()) {
            throw new IllegalArgumentException(
                    "demonstrations come from an expert or from files; give one of the two");
        }
        files = List.copyOf(files);
    }

    /** True if tasks of the split are demonstrated by an expert. */
    boolean trainsOn(String other) {
        return expert.isPresent() && split.equals(other);
    }
}
