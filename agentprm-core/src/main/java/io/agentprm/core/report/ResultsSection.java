package io.agentprm.core.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Iterations with their evaluations: key figures, chart, table, table by category. */
final class ResultsSection {
    private final List<Iteration> iterations;
    private final Map<String, Integer> styles = new LinkedHashMap<>();

    ResultsSection(List<Iteration> iterations) {
        this.iterations = iterations;
        for (Iteration iteration : iterations) {
            for (Evaluation evaluation : iteration.evaluations()) {
                styles.putIfAbsent(evaluation.name(), styles.size());
            }
        }
    }

    /** The first two ways of deciding, in the first and in the last iteration. */
    void keyFigures(Html html) {
        List<Evaluation> shown = new ArrayList<>(leading(iterations.get(0)));
        if (iterations.size() > 1) {
            shown.addAll(leading(iterations.get(iterations.size() - 1)));
        }
        html.open("div", "class", "figures");
        for (Evaluation evaluation : shown) {
            html.open("div", "class", "figure")
                    .element("span", evaluation.agent(), "class", "who")
                    .open("span", "class", "big")
                    .text(Numbers.percent(evaluation.success().value()))
                    .element("small", " %")
                    .close("span")
                    .element(
                            "span",
                            (Numbers.interval(evaluation.success())
                                            + " of "
                                            + Numbers.count(evaluation.episodes())
                                            + " episodes")
                                    .strip(),
                            "class",
                            "range");
            evaluation
                    .score()
                    .ifPresent(score -> html.element("span", inWords(score), "class", "range"));
            html.close("div");
        }
        html.close("div").line();
    }

    private static String inWords(Estimate score) {
        return ("score " + Numbers.percent(score.value()) + " " + Numbers.interval(score)).strip();
    }

    private static List<Evaluation> leading(Iteration iteration) {
        List<Evaluation> all = iteration.evaluations();
        return all.subList(0, Math.min(2, all.size()));
    }

    void write(Html html) {
        html.open("div", "class", "wide");
        PlotChart.write(html, plot(), 760, 300);
        html.close("div");
        table(html);
        categories(html);
    }

    private Plot plot() {
        List<Series> series = new ArrayList<>();
        for (String name : styles.keySet()) {
            List<Series.Point> points = new ArrayList<>();
            for (Iteration iteration : iterations) {
                for (Evaluation evaluation : iteration.evaluations()) {
                    if (evaluation.name().equals(name)) {
                        points.add(new Series.Point(iteration.number(), evaluation.success()));
                    }
                }
            }
            series.add(new Series(name, points));
        }
        return new Plot(
                "Success by iteration",
                "Whiskers: 95 % interval of each rate. Differences between rows are judged by the"
                        + " paired comparisons, not by overlap of these intervals.",
                Axis.integer("iteration"),
                Axis.share("success"),
                series);
    }

    private void table(Html html) {
        html.open("div", "class", "scroll").open("table");
        html.open("thead").open("tr");
        for (String head : List.of("Iteration", "Decided by", "How")) {
            html.element("th", head);
        }
        for (String head : List.of("Episodes", "Success, %", "95 % interval")) {
            html.element("th", head, "class", "num");
        }
        html.element("th", "0 – 100 %");
        if (graded()) {
            html.element("th", "Score", "class", "num");
            html.element("th", "95 % interval", "class", "num");
        }
        html.element("th", "Mean actions", "class", "num");
        html.close("tr").close("thead").line().open("tbody");
        IntervalBar bar = new IntervalBar(0, 1, 0);
        for (Iteration iteration : iterations) {
            boolean first = true;
            for (Evaluation evaluation : iteration.evaluations()) {
                html.open("tr", "class", first ? "group" : "");
                html.element("td", first ? Integer.toString(iteration.number()) : "");
                html.element("td", evaluation.agent());
                html.element("td", evaluation.decoding(), "class", "quiet");
                number(html, Numbers.count(evaluation.episodes()));
                html.element(
                        "td", Numbers.percent(evaluation.success().value()), "class", "num strong");
                number(html, Numbers.interval(evaluation.success()));
                html.open("td");
                bar.write(html, evaluation.success(), Legend.style(styles.get(evaluation.name())));
                html.close("td");
                evaluation.score().ifPresent(score -> score(html, score));
                number(html, Numbers.fixed(evaluation.meanActions(), 1));
                html.close("tr").line();
                first = false;
            }
        }
        html.close("tbody").close("table").close("div").line();
        if (graded()) {
            html.element(
                    "p",
                    "Score: 100 times the mean outcome, where part of a task counts in part; its"
                            + " interval is a bootstrap over tasks.",
                    "class",
                    "note");
        }
    }

    private boolean graded() {
        return iterations.stream()
                .flatMap(iteration -> iteration.evaluations().stream())
                .anyMatch(evaluation -> evaluation.score().isPresent());
    }

    private static void score(Html html, Estimate score) {
        html.element("td", Numbers.percent(score.value()), "class", "num strong");
        number(html, Numbers.interval(score));
    }

    private void categories(Html html) {
        boolean first = true;
        for (String name : styles.keySet()) {
            List<Evaluation> columns = new ArrayList<>();
            Set<String> rows = new LinkedHashSet<>();
            for (Iteration iteration : iterations) {
                for (Evaluation evaluation : iteration.evaluations()) {
                    if (evaluation.name().equals(name) && !evaluation.categories().isEmpty()) {
                        columns.add(evaluation);
                        evaluation.categories().forEach(c -> rows.add(c.category()));
                    }
                }
            }
            if (columns.isEmpty()) {
                continue;
            }
            html.trusted(first ? "<details open>" : "<details>");
            html.element("summary", "By category: " + name);
            html.open("div", "class", "scroll").open("table", "class", "heat");
            html.open("thead").open("tr").element("th", "Category");
            html.element("th", "Episodes", "class", "num");
            columns.forEach(c -> html.element("th", c.agent(), "class", "num"));
            html.close("tr").close("thead").line().open("tbody");
            for (String row : rows) {
                html.open("tr").element("td", row);
                number(html, Numbers.count(episodes(columns, row)));
                columns.forEach(column -> cell(html, column, row));
                html.close("tr").line();
            }
            html.close("tbody").close("table").close("div");
            html.element(
                    "p",
                    "Success in %, its 95 % interval, "
                            + (graded() ? "score with its own, " : "")
                            + "mean actions.",
                    "class",
                    "note");
            html.close("details").line();
            first = false;
        }
    }

    private static int episodes(List<Evaluation> columns, String category) {
        return columns.stream()
                .flatMap(c -> c.categories().stream())
                .filter(c -> c.category().equals(category))
                .mapToInt(CategoryResult::episodes)
                .max()
                .orElse(0);
    }

    private static void cell(Html html, Evaluation column, String category) {
        for (CategoryResult result : column.categories()) {
            if (result.category().equals(category)) {
                String strength = Numbers.coordinate(.05 + .3 * result.success().value());
                html.open("td", "class", "num", "style", "--heat:" + strength)
                        .element("b", Numbers.percent(result.success().value()))
                        .element("small", Numbers.interval(result.success()));
                result.score().ifPresent(score -> html.element("small", inWords(score)));
                html.element("small", Numbers.fixed(result.meanActions(), 1) + " actions")
                        .close("td");
                return;
            }
        }
        html.element("td", "–", "class", "num");
    }

    private static void number(Html html, String text) {
        html.element("td", text, "class", "num");
    }
}
