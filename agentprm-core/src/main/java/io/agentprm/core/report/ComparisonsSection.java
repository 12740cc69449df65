package io.agentprm.core.report;

import java.util.List;

/** Paired comparisons as a table with intervals around zero. */
final class ComparisonsSection {
    private ComparisonsSection() {}

    static void write(Html html, List<Comparison> comparisons) {
        double reach = .05;
        for (Comparison comparison : comparisons) {
            Estimate d = comparison.difference();
            reach = Math.max(reach, Math.max(Math.abs(d.low()), Math.abs(d.high())));
        }
        IntervalBar bar = new IntervalBar(-reach, reach, 0);
        html.open("div", "class", "scroll").open("table");
        html.open("thead").open("tr").element("th", "Agent").element("th", "against");
        for (String head : List.of("Pairs", "Difference, points", "95 % interval")) {
            html.element("th", head, "class", "num");
        }
        html.element("th", "worse ◂ 0 ▸ better", "class", "mid")
                .element("th", "")
                .close("tr")
                .close("thead");
        html.line().open("tbody");
        for (Comparison comparison : comparisons) {
            row(html, comparison, bar);
        }
        html.close("tbody").close("table").close("div");
        html.element(
                "p",
                "Difference of success on the same pairs of task and seed; the interval is a"
                        + " bootstrap over tasks.",
                "class",
                "note");
    }

    private static void row(Html html, Comparison comparison, IntervalBar bar) {
        Estimate d = comparison.difference();
        String verdict = d.low() > 0 ? "better" : d.high() < 0 ? "worse" : "undecided";
        String style = d.low() > 0 ? "s2" : d.high() < 0 ? "s1" : "grey";
        html.open("tr")
                .element("td", comparison.agent())
                .element("td", comparison.baseline())
                .element("td", Numbers.count(comparison.pairs()), "class", "num")
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
