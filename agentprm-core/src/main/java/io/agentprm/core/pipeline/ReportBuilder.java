package io.agentprm.core.pipeline;

import io.agentprm.core.report.RunReport;
import io.agentprm.core.run.RunInfo;
import java.nio.file.Path;

/** From the results of a run to its report. */
final class ReportBuilder {
    private ReportBuilder() {}

    static RunReport build(RunResults results, RunInfo info, Path directory) {
        return RunReport.builder(results.config().name()).build();
    }
}
