package io.agentprm.core.pipeline;

import io.agentprm.api.env.EnvironmentInfo;
import io.agentprm.api.reward.ScoreScale;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Everything that a finished run produced, for its report.
 *
 * @param scale what the scores of its reward models mean
 * @param judgeScale what the scores of {@code evaluation.judge} mean, if it took their place
 */
record RunResults(
        RunConfig config,
        EnvironmentInfo environment,
        int demonstrations,
        Path firstPolicy,
        List<Pipeline.Iteration> iterations,
        List<Pipeline.Judged> judged,
        ScoreScale scale,
        Optional<ScoreScale> judgeScale) {}
