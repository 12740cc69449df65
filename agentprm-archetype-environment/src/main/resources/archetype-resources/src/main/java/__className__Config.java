package ${package};

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;

/** Settings of the environment: a key of the configuration each, in kebab case there. */
@Description("A number is looked for; every try tells whether it is higher or lower.")
public record ${className}Config(
        @Description("Highest number, at least 2.") @Default("6") int numbers,
        @Description("Number of tasks of each split, at least 1.") @Default("500")
                int tasksPerSplit,
        @Description("Number of tries, at least 1.") @Default("3") int tries) {
    /** Checks the ranges. */
    public ${className}Config {
        if (numbers < 2) {
            throw new IllegalArgumentException("numbers must be at least 2, was " + numbers);
        }
        if (tasksPerSplit < 1) {
            throw new IllegalArgumentException(
                    "tasks-per-split must be at least 1, was " + tasksPerSplit);
        }
        if (tries < 1) {
            throw new IllegalArgumentException("tries must be at least 1, was " + tries);
        }
    }
}
