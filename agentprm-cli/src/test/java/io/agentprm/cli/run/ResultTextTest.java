package io.agentprm.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.agentprm.core.report.Comparison;
import io.agentprm.core.report.Estimate;
import io.agentprm.core.report.Evaluation;
import io.agentprm.core.report.Iteration;
import io.agentprm.core.report.RunReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTextTest {
    @Test
    void ratesAndDifferencesStandInColumns() {
        RunReport report =
                RunReport.builder("r")
                        .add(
                                new Iteration(
                                        0,
                                        List.of(
                                                new Evaluation(
                                                        "policy",
                                                        "pi-0",
                                                        "greedy",
                                                        134,
                                                        new Estimate(.649, .565, .725),
                                                        17.04,
                                                        List.of()))))
                        .add(new Comparison("pi-3", "pi-0", 134, new Estimate(.2, .1, .3)))
                        .build();
        StringWriter text = new StringWriter();
        ResultText.print(new PrintWriter(text, true), report);
        assertEquals(
                """
                Success, % [95 % interval], mean actions:
                  pi-0           64.9  [56.5, 72.5]     17.0  of 134 episodes
                Difference in points [95 % interval], paired by task and seed:
                  pi-3 - pi-0   +20.0  [+10.0, +30.0]
                """,
                text.toString().replace("\r", ""));
    }
}
