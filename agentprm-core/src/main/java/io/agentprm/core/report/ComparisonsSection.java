package io.agentprm.core.report;

import java.util.List;

/** Paired comparisons as a table with intervals around zero. */
final class ComparisonsSection {
    private ComparisonsSection() {}

    static void write(Html html, List<Comparison> comparisons) {
        double reach = .05;
        boolean graded = false;
        for (Comparison comparison : comparisons) {
            reach = Math.max(reach, reach(comparison.difference()));
            reach = Math.max(reach, comparison.score().map(s -> reach(s)).orElse(0.0));
            graded |= comparison.score().isPresent();
        }
        IntervalBar bar = new IntervalBar(-reach, reach, 0);
        html.open("div", "class", "scroll").open("table");
        html.open("thead").open("tr").element("th", "Agent").element("th", "against");
        if (graded) {
            html.element("th", "by");
        }
        for (String head : List.of("Pairs", "Difference, points", "95 % interval")) {
            html.element("th", head, "class", "num");
        }
        html.element("th", "worse ◂ 0 ▸ better", "class", "mid")
                .element("th", "")
                .close("tr")
                .close("thead");
        html.line().open("tbody");
        for (Comparison comparison : comparisons) {
            row(html, comparison, "success", comparison.difference(), bar);
            comparison.score().ifPresent(s -> row(html, comparison, "score", s, bar));
        }
        html.close("tbody").close("table").close("div");
        html.element(
                "p",
                "Difference of "
                        + (graded ? "success, or of the score, " : "success ")
                        + "on the same pairs of task and seed; the interval is a"
                        + " bootstrap over tasks.",
                "class",
                "note");
    }

    private static double reach(Estimate difference) {
        return Math.max(Math.abs(difference.low()), Math.abs(difference.high()));
    }

    private static void row(
            Html html, Comparison comparison, String measure, Estimate d, IntervalBar bar) {
        String verdict = d.low() > 0 ? "better" : d.high() < 0 ? "worse" : "undecided";
        String style = d.low() > 0 ? "s2" : d.high() < 0 ? "s1" : "grey";
        html.open("tr").element("td", comparison.agent()).element("td", comparison.baseline());
        if (comparison.score().isPresent()) {
            html.element("td", measure);
        }
        html.element("td", Numbers.count(comparison.pairs()), "class", "num")
                .element("td", Numbers.points(d.value()), "class", "num strong")
                .element(
                        "td",
                        "[" + Numbers.points(d.low()) + ", " + Numbers.points(d.high()) + "]",
                        "class",
                        "num")
                .open("td");
        bar.write(html, d, style);
        html.close("td").element("td", verdict, "class", "quiet").close("tr").line();
    }
}
