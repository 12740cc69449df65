package io.agentprm.core.report;

import io.agentprm.core.RunException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Turns a {@link RunReport} into one HTML file: style, drawings and script are inside, nothing is
 * fetched. Every text of the run is escaped. The same report gives the same bytes.
 */
public final class HtmlReport {
    private static final double CHART_WIDTH = 470;
    private static final double CHART_HEIGHT = 260;

    private final RunReport report;
    private final Html html = new Html();

    private HtmlReport(RunReport report) {
        this.report = report;
    }

    /** The page as text. */
    public static String render(RunReport report) {
        return new HtmlReport(report).page();
    }

    /**
     * Writes the page as UTF-8; the file appears whole or not at all.
     *
     * @throws RunException if the file cannot be written
     */
    public static void write(RunReport report, Path file) {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        try {
            // A text may hold half a character; it is shown as a question mark.
            Files.write(temporary, render(report).getBytes(StandardCharsets.UTF_8));
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new RunException("cannot write the report " + file + ": " + e.getMessage(), e);
        }
    }

    private String page() {
        Map<String, Runnable> sections = sections();
        html.trusted("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.trusted("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.trusted(
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
                        + " style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n");
        html.element("title", report.title()).line();
        html.open("style").trusted(resource("report.css")).close("style").line();
        html.close("head").line().open("body").line();
        header();
        html.open("nav");
        sections.keySet().forEach(name -> html.element("a", name, "href", "#" + anchor(name)));
        html.close("nav").line().open("main").line();
        sections.forEach(
                (name, body) -> {
                    html.open("section", "id", anchor(name)).element("h2", name).line();
                    body.run();
                    html.close("section").line();
                });
        html.close("main").line();
        html.open("script").trusted(resource("report.js")).close("script").line();
        return html.close("body").line().close("html").line().toString();
    }

    private void header() {
        html.open("header").element("h1", report.title());
        if (!report.summary().isEmpty()) {
            html.element("p", report.summary(), "class", "lead");
        }
        if (!report.iterations().isEmpty()) {
            new ResultsSection(report.iterations()).keyFigures(html);
        }
        report.notes().forEach(note -> html.element("p", note, "class", "callout"));
        html.close("header").line();
    }

    private Map<String, Runnable> sections() {
        Map<String, Runnable> sections = new LinkedHashMap<>();
        if (!report.iterations().isEmpty()) {
            sections.put("Results", () -> new ResultsSection(report.iterations()).write(html));
        }
        if (!report.comparisons().isEmpty()) {
            sections.put(
                    "Paired comparisons",
                    () -> ComparisonsSection.write(html, report.comparisons()));
        }
        if (!report.scaling().isEmpty()) {
            sections.put("Test-time scaling", () -> charts(report.scaling(), this::plot));
        }
        if (!report.rewardHacking().isEmpty()) {
            sections.put("Score and success", () -> charts(report.rewardHacking(), this::plot));
        }
        if (!report.training().isEmpty()) {
            sections.put("Training", () -> charts(report.training(), this::plot));
        }
        if (!report.histograms().isEmpty() || !report.calibrations().isEmpty()) {
            sections.put("Reward model", this::rewardModel);
        }
        if (!report.episodes().isEmpty()) {
            sections.put("Episodes", () -> EpisodesSection.write(html, report.episodes()));
        }
        if (!report.facts().isEmpty() || !report.configuration().isEmpty()) {
            sections.put("How it was run", this::facts);
        }
        return sections;
    }

    private void rewardModel() {
        html.open("div", "class", "charts").line();
        report.histograms().forEach(h -> HistogramChart.write(html, h, CHART_WIDTH, CHART_HEIGHT));
        report.calibrations()
                .forEach(c -> CalibrationChart.write(html, c, CHART_WIDTH, CHART_HEIGHT));
        html.close("div").line();
    }

    private <T> void charts(List<T> charts, BiConsumer<Html, T> draw) {
        html.open("div", "class", "charts").line();
        charts.forEach(chart -> draw.accept(html, chart));
        html.close("div").line();
    }

    private void plot(Html target, Plot plot) {
        PlotChart.write(target, plot, CHART_WIDTH, CHART_HEIGHT);
    }

    private void facts() {
        html.open("div", "class", "facts");
        for (FactSheet sheet : report.facts()) {
            html.open("div").element("h3", sheet.title()).open("dl");
            for (FactSheet.Fact fact : sheet.facts()) {
                html.element("dt", fact.name()).element("dd", fact.value());
            }
            html.close("dl").close("div").line();
        }
        html.close("div");
        if (!report.configuration().isEmpty()) {
            html.open("details").element("summary", "Configuration as resolved");
            html.element("pre", report.configuration()).close("details").line();
        }
    }

    private static String anchor(String name) {
        return name.toLowerCase(Locale.ROOT).replace(' ', '-');
    }

    private static String resource(String name) {
        try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new RunException(
                        "the report's " + name + " is missing from the agentprm-core JAR");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new RunException("cannot read the report's " + name, e);
        }
    }
}
