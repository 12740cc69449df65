package org.example.corridor;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;

/** Settings of the corridor. */
@Description("A corridor of coloured doors; a note at the desk says behind which one to deliver.")
public record CorridorConfig(
        @Description("Number of doors, in [2, 8].") @Default("5") int doors,
        @Description("Number of tasks of each split, at least 1.") @Default("200")
                int tasksPerSplit,
        @Description("Number of actions after which the task has failed, at least 3.")
                @Default("12")
                int stepLimit) {
    /** Checks the ranges. */
    public CorridorConfig {
        if (doors < 2 || doors > Corridor.COLOURS.size()) {
            throw new IllegalArgumentException("doors must lie in [2, 8], was " + doors);
        }
        if (tasksPerSplit < 1) {
            throw new IllegalArgumentException(
                    "tasks-per-split must be at least 1, was " + tasksPerSplit);
        }
        if (stepLimit < 3) {
            throw new IllegalArgumentException("step-limit must be at least 3, was " + stepLimit);
        }
    }
}
