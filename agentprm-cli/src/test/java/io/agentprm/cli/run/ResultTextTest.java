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
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResultTextTest {
    @Test
    void ratesAndDifferencesStandInColumns() {
        assertEquals(
                """
                Success, % [95 % interval], mean actions:
                  pi-0           64.9  [56.5, 72.5]     17.0  of 134 episodes
                Difference in points [95 % interval], paired by task and seed:
                  pi-3 - pi-0   +20.0  [+10.0, +30.0]
                """,
                text(Optional.empty(), Optional.empty()));
    }

    @Test
    void aScoreStandsBesideSuccess() {
        assertEquals(
                """
                Success, % [95 % interval], score [95 % interval], mean actions:
                  pi-0           64.9  [56.5, 72.5]     81.2  [78.0, 84.4]     17.0  of 134 episodes
                Differences of success and of the score in points [95 % interval], paired by task and seed:
                  pi-3 - pi-0   +20.0  [+10.0, +30.0]     +4.0  [-1.0, +9.0]
                """,
                text(
                        Optional.of(new Estimate(.812, .78, .844)),
                        Optional.of(new Estimate(.04, -.01, .09))));
    }

    private static String text(Optional<Estimate> score, Optional<Estimate> difference) {
        Evaluation evaluation =
                new Evaluation(
                        "policy",
                        "pi-0",
                        "greedy",
                        134,
                        new Estimate(.649, .565, .725),
                        score,
                        17.04,
                        List.of());
        RunReport report =
                RunReport.builder("r")
                        .add(new Iteration(0, List.of(evaluation)))
                        .add(
                                new Comparison(
                                        "pi-3", "pi-0", 134, new Estimate(.2, .1, .3), difference))
                        .build();
        StringWriter text = new StringWriter();
        ResultText.print(new PrintWriter(text, true), report);
        return text.toString().replace("\r", "");
    }
}
