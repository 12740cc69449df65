package io.agentprm.core.eval;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.api.env.EnvironmentInfo;
import java.util.Map;

/**
 * Under what conditions an evaluation was made: two results are comparable if these agree, but for
 * the agent and its decoding.
 */
public record EvaluationSetup(
        @Description("Who decided, such as pi-1 or BoN(pi-1, Q-1).") String agent,
        @Description("How replies were drawn and parsed, in words.") String decoding,
        @Description("Candidates per turn; 1 for the bare policy.") @Default("1") int samples,
        @Description("Name of the environment.") String environment,
        @Description("Version of the environment.") String environmentVersion,
        @Description("Hash of everything that its tasks depend on.") String contentHash,
        @Description("Step limit of an episode; 0 if there is none.") int stepLimit,
        @Description("Split of the tasks.") String split,
        @Description("Root seed of the episodes.") long seed,
        @Description("Versions of program, JDK and engine, by name.")
                Map<String, String> versions) {
    /** A setup in an environment. */
    public static EvaluationSetup of(
            String agent,
            String decoding,
            int samples,
            EnvironmentInfo environment,
            String split,
            long seed,
            Map<String, String> versions) {
        return new EvaluationSetup(
                agent,
                decoding,
                samples,
                environment.name(),
                environment.version(),
                environment.contentHash(),
                environment.stepLimit(),
                split,
                seed,
                versions);
    }
}
