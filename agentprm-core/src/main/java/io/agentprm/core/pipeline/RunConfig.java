package io.agentprm.core.pipeline;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.core.config.ComponentConfig;
import java.util.Optional;
import java.util.Set;

/** Everything that decides a run's result. */
@Description("A training run: what is trained, on what, how, and how it is judged.")
public record RunConfig(
        @Description("Name of the run; its directory is runs/NAME unless said otherwise.")
                String name,
        @Description("Seed of every random draw.") @Default("1") long seed,
        @Description("Environment with the tasks.") ComponentConfig environment,
        @Description("Engine that runs the models.") @Default("djl") ComponentConfig engine,
        @Description(
                        "Engine that trains the models, if not the one that runs them: by default"
                                + " that one where it trains, otherwise djl.")
                Optional<ComponentConfig> trainer,
        @Description("How the agent's models are made, rendered and decoded.")
                @Default("transformer")
                ComponentConfig models,
        @Description("AdamW, for policy and reward model alike.") AdamWConfig adamW,
        @Description(
                        "Number of shards played at the same time, each with its own copy of the policy. Changes no result.")
                @Default("2")
                int workers,
        @Description("Demonstrations that the first policy is trained on.")
                DemonstrationConfig demonstrations,
        @Description("Optimiser that makes the first policy from demonstrations.") @Default("sft")
                ComponentConfig sft,
        @Description("The iterated part.") LoopConfig loop,
        @Description("How policies are judged.") EvaluationConfig evaluation) {
    /** Keys that change no result; an interrupted run may go on with others. */
    static final Set<String> HARMLESS = Set.of("name", "workers");

    /** Checks the ranges. */
    public RunConfig {
        if (!name.matches("[^/\\\\\\p{Cntrl}]+") || name.matches("\\.{1,2}")) {
            throw new IllegalArgumentException(
                    "name must name one directory, so it is not empty, . or .. and has no slash,"
                            + " backslash or control character; choose another, and say with --out"
                            + " where the run goes");
        }
        Range.atLeast(1, "workers", workers);
    }
}
