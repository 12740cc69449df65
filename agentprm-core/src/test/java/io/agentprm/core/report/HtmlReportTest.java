package io.agentprm.core.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.trajectory.Candidate;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import io.agentprm.core.RunException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {
    private static final String HOSTILE =
            "</script></style><script>alert(1)</script><!--\"' onload='x' &amp; \u2028";

    @Test
    void sameReportGivesTheSameBytesInEveryLocale() {
        String first = HtmlReport.render(DemoReport.create());
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            assertEquals(first, HtmlReport.render(DemoReport.create()));
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void nothingIsFetchedFromAnywhere() {
        String page = HtmlReport.render(DemoReport.create());
        for (String way : List.of("http:", "https:", " src=", "@import", "url(", "<link")) {
            assertFalse(page.contains(way), way);
        }
    }

    @Test
    void textOfTheRunNeverBecomesMarkup() {
        String page = HtmlReport.render(hostile());
        assertEquals(2, count(page, "<script"), "the data and the viewer, nothing else");
        assertEquals(2, count(page, "</script>"));
        assertEquals(1, count(page, "</style>"));
        assertFalse(page.contains("<!--"));
        String markup = page.substring(0, page.indexOf("<script"));
        assertFalse(markup.contains("\"' onload"), "quotes must not end an attribute");
        assertFalse(EpisodesSection.inScript(HOSTILE).contains("\u2028"));
    }

    @Test
    void hostileTextIsShownAsItWas() {
        String page = HtmlReport.render(RunReport.builder("a < b & \"c\"").build());
        assertTrue(page.contains("<h1>a &lt; b &amp; &quot;c&quot;</h1>"));
    }

    @Test
    void whatIsEmptyIsLeftOut() {
        String page = HtmlReport.render(RunReport.builder("nothing yet").build());
        assertFalse(page.contains("<section"));
        assertFalse(page.contains("id=\"viewer\""));
    }

    @Test
    void everySectionIsLinkedOnce() {
        String page = HtmlReport.render(DemoReport.create());
        assertEquals(8, count(page, "<section"));
        for (String anchor : List.of("results", "paired-comparisons", "episodes", "training")) {
            assertEquals(1, count(page, "id=\"" + anchor + "\""), anchor);
            assertEquals(1, count(page, "href=\"#" + anchor + "\""), anchor);
        }
    }

    @Test
    void ratesAppearWithTheirIntervals() {
        Evaluation evaluation =
                new Evaluation(
                        "policy",
                        "pi-0",
                        "greedy",
                        134,
                        new Estimate(.649, .565, .725),
                        Optional.empty(),
                        17.04,
                        List.of());
        String page =
                HtmlReport.render(
                        RunReport.builder("r").add(new Iteration(0, List.of(evaluation))).build());
        assertTrue(page.contains("<td class=\"num strong\">64.9</td>"));
        assertTrue(page.contains("<td class=\"num\">[56.5, 72.5]</td>"));
        assertTrue(page.contains("<td class=\"num\">17.0</td>"));
    }

    @Test
    void aScoreStandsBesideSuccessInEveryTable() {
        Estimate success = new Estimate(.2, .1, .3);
        Optional<Estimate> score = Optional.of(new Estimate(.613, .58, .641));
        CategoryResult category = new CategoryResult("shoes", 9, success, score, 4);
        Evaluation evaluation =
                new Evaluation("policy", "pi-0", "greedy", 9, success, score, 4, List.of(category));
        String page =
                HtmlReport.render(
                        RunReport.builder("r")
                                .add(new Iteration(0, List.of(evaluation)))
                                .add(
                                        new Comparison(
                                                "a",
                                                "b",
                                                9,
                                                new Estimate(.01, -.02, .04),
                                                Optional.of(new Estimate(.05, .01, .09))))
                                .build());
        assertTrue(page.contains("<span class=\"range\">score 61.3 [58.0, 64.1]</span>"), page);
        assertTrue(
                page.contains(
                        "<td class=\"num strong\">61.3</td><td class=\"num\">[58.0, 64.1]</td>"),
                page);
        assertTrue(page.contains("<small>score 61.3 [58.0, 64.1]</small>"), page);
        assertTrue(page.contains("<td>success</td><td class=\"num\">9</td>"), page);
        assertTrue(page.contains("<td>score</td><td class=\"num\">9</td>"), page);
        assertTrue(page.contains("[+1.0, +9.0]"), page);
        assertEquals(1, count(page, ">undecided<"), "success is");
        assertEquals(1, count(page, ">better<"), "the score is");
    }

    @Test
    void withoutAScoreNoTableSpeaksOfOne() {
        String page = HtmlReport.render(DemoReport.create());
        String tables =
                page.substring(page.indexOf("id=\"results\""), page.indexOf("id=\"test-time"));
        assertFalse(tables.contains("core"), tables);
        assertFalse(tables.contains("<td>success</td>"), tables);
    }

    @Test
    void comparisonIsCalledUndecidedWhereItsIntervalHoldsZero() {
        String page =
                HtmlReport.render(
                        RunReport.builder("r")
                                .add(
                                        new Comparison(
                                                "a",
                                                "b",
                                                9,
                                                new Estimate(.01, -.02, .04),
                                                Optional.empty()))
                                .build());
        assertTrue(page.contains(">undecided<"));
        assertTrue(page.contains("[−2.0, +4.0]"));
    }

    @Test
    void missingValueLeavesAGapInTheLine() {
        Plot plot =
                new Plot(
                        "p",
                        "",
                        Axis.linear("x"),
                        Axis.linear("y"),
                        List.of(
                                Series.of(
                                        "s",
                                        new double[] {0, 1, 2, 3, 4},
                                        new double[] {1, 2, Double.NaN, 2, 1})));
        String page = HtmlReport.render(RunReport.builder("r").training(plot).build());
        assertTrue(Pattern.compile("d=\"M[^\"]*L[^\"]*M[^\"]*L[^\"]*\"").matcher(page).find());
        assertFalse(Pattern.compile("=\"[^\"]*NaN").matcher(page).find());
    }

    @Test
    void plotsWithoutAnyPointAreDrawnEmpty() {
        Plot plot =
                new Plot(
                        "p",
                        "",
                        Axis.log2("x"),
                        Axis.linear("y"),
                        List.of(new Series("s", List.of())));
        String page = HtmlReport.render(RunReport.builder("r").training(plot).build());
        assertFalse(Pattern.compile("=\"[^\"]*(NaN|Infinity)").matcher(page).find());
    }

    @Test
    void longSeriesStaySmall() {
        double[] x = new double[200_000];
        for (int i = 0; i < x.length; i++) {
            x[i] = i;
        }
        Plot plot =
                new Plot(
                        "p", "", Axis.linear("x"), Axis.linear("y"), List.of(Series.of("s", x, x)));
        String page = HtmlReport.render(RunReport.builder("r").training(plot).build());
        assertTrue(page.length() < 60_000, "was " + page.length());
    }

    @Test
    void fileAppearsWholeOrTheErrorNamesIt(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("report.html");
        HtmlReport.write(DemoReport.create(), file);
        assertEquals(HtmlReport.render(DemoReport.create()), Files.readString(file));
        HtmlReport.write(RunReport.builder("half \ud83d").build(), file);
        assertTrue(Files.readString(file).contains("<h1>half ?</h1>"));
        Path nowhere = directory.resolve("missing").resolve("report.html");
        RunException error =
                assertThrows(
                        RunException.class, () -> HtmlReport.write(DemoReport.create(), nowhere));
        assertTrue(error.getMessage().contains(nowhere.toString()));
    }

    private static RunReport hostile() {
        Estimate rate = new Estimate(.5, .4, .6);
        Series series = Series.of(HOSTILE, new double[] {1, 2}, new double[] {1, 2});
        Plot plot =
                new Plot(
                        HOSTILE,
                        HOSTILE,
                        Axis.linear(HOSTILE),
                        Axis.share(HOSTILE),
                        List.of(series, series));
        Candidate candidate = new Candidate(HOSTILE, 1, OptionalDouble.of(Double.NaN));
        Decision decision =
                Decision.builder(Action.text(HOSTILE))
                        .reason(HOSTILE)
                        .parseFailure(HOSTILE)
                        .candidates(List.of(candidate))
                        .build();
        Trajectory trajectory =
                Trajectory.builder(Task.of(HOSTILE, HOSTILE, HOSTILE), HOSTILE)
                        .policyId(HOSTILE)
                        .add(
                                Turn.of(
                                        Observation.text(HOSTILE),
                                        decision,
                                        new ActionFeedback.Valid(),
                                        0))
                        .end(Observation.text(HOSTILE), new EpisodeEnd.Aborted(HOSTILE));
        return RunReport.builder(HOSTILE)
                .summary(HOSTILE)
                .note(HOSTILE)
                .add(
                        new Iteration(
                                0,
                                List.of(
                                        new Evaluation(
                                                HOSTILE,
                                                HOSTILE,
                                                HOSTILE,
                                                1,
                                                rate,
                                                Optional.of(rate),
                                                1,
                                                List.of(
                                                        new CategoryResult(
                                                                HOSTILE,
                                                                1,
                                                                rate,
                                                                Optional.of(rate),
                                                                1))))))
                .add(new Comparison(HOSTILE, HOSTILE, 1, rate, Optional.of(rate)))
                .scaling(plot)
                .rewardHacking(plot)
                .training(plot)
                .add(
                        new Histogram(
                                HOSTILE,
                                HOSTILE,
                                HOSTILE,
                                0,
                                1,
                                List.of(new Histogram.Group(HOSTILE, List.of(1L, 2L)))))
                .add(new Calibration(HOSTILE, List.of(), .1, .1))
                .add(new SampleEpisode(HOSTILE, ScoreScale.LOGIT, trajectory))
                .add(new FactSheet(HOSTILE, List.of(new FactSheet.Fact(HOSTILE, HOSTILE))))
                .configuration(HOSTILE)
                .build();
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }
}
