package io.agentprm.core.pipeline;

import io.agentprm.api.env.EnvironmentInfo;
import io.agentprm.api.trajectory.Trajectory;
import java.nio.file.Path;
import java.util.List;

/** Everything that a finished run produced, for its report. */
record RunResults(
        RunConfig config,
        EnvironmentInfo environment,
        List<Trajectory> demonstrations,
        Path firstPolicy,
        List<Pipeline.Iteration> iterations,
        List<Pipeline.Judged> judged) {}
