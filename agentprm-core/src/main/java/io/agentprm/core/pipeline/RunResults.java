package io.agentprm.core.pipeline;

import io.agentprm.api.env.EnvironmentInfo;
import io.agentprm.api.reward.ScoreScale;
import java.nio.file.Path;
import java.util.List;

/**
 * Everything that a finished run produced, for its report.
 *
 * @param scale what the scores of its reward models mean
 */
record RunResults(
        RunConfig config,
        EnvironmentInfo environment,
        int demonstrations,
        Path firstPolicy,
        List<Pipeline.Iteration> iterations,
        List<Pipeline.Judged> judged,
        ScoreScale scale) {}
