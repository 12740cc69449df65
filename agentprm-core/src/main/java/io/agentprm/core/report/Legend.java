package io.agentprm.core.report;

import java.util.List;

/** Names of lines with a sample of each. */
final class Legend {
    /** Lines that can be told apart; later ones start over. */
    static final int STYLES = 6;

    private Legend() {}

    static String style(int index) {
        return "s" + index % STYLES;
    }

    static void write(Html html, List<String> names) {
        if (names.size() < 2) {
            return;
        }
        html.open("ul", "class", "legend");
        for (int i = 0; i < names.size(); i++) {
            html.open("li")
                    .open("svg", "viewBox", "0 0 26 10", "aria-hidden", "true")
                    .empty("path", "class", "line " + style(i), "d", "M1 5H25")
                    .close("svg")
                    .text(names.get(i))
                    .close("li");
        }
        html.close("ul").line();
    }
}
