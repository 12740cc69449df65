package io.agentprm.core.pipeline;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.core.config.ComponentConfig;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How policies are judged, always on the same task and episode pairs. */
@Description("How policies are judged: always on the same pairs of task and seed.")
public record EvaluationConfig(
        @Description("Split of the tasks; never one that is trained on.") @Default("valid_unseen")
                String split,
        @Description("Number of tasks, drawn by the seed; 0 takes all.") @Default("0") int tasks,
        @Description("Episodes of each task.") @Default("1") int episodes,
        @Description("Sampling temperature of the bare policy; 0 is greedy.") @Default("0.3")
                double temperature,
        @Description("How decisions are chosen with the reward model at run time.")
                @Default("best-of-n")
                ComponentConfig bestOfN,
        @Description(
                        "Reward model by whose scores is chosen at run time, such as openai-reward;"
                                + " by default the one that the run trains.")
                Optional<ComponentConfig> judge,
        @Description(
                        "Other ways of choosing at equal cost, tried on the first and the last policy.")
                List<ComponentConfig> controls,
        @Description("Ways of choosing that are tried on the first policy to show how they scale.")
                List<ComponentConfig> scaling,
        @Description("Tasks for the scaling figure; 0 takes all of the evaluation's.") @Default("0")
                int scalingTasks,
        @Description("Whether the policies between the first and the last are judged too.")
                @Default("true")
                boolean everyIteration) {
    /** Checks the ranges. */
    public EvaluationConfig {
        Range.atLeast(0, "tasks", tasks);
        Range.atLeast(1, "episodes", episodes);
        Range.atLeast(0, "temperature", temperature);
        Range.atLeast(0, "scaling-tasks", scalingTasks);
        controls = List.copyOf(controls);
        scaling = List.copyOf(scaling);
    }

    /** The controls by a name of their own: several of one kind are told apart by numbers. */
    Map<String, ComponentConfig> waysOfControls() {
        Map<String, Integer> used = new HashMap<>();
        used.put(bestOfN.name(), 1);
        Map<String, ComponentConfig> ways = new LinkedHashMap<>();
        for (ComponentConfig chooser : controls) {
            int number = used.merge(chooser.name(), 1, Integer::sum);
            ways.put(number == 1 ? chooser.name() : chooser.name() + "-" + number, chooser);
        }
        return ways;
    }
}
