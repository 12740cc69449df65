package io.agentprm.cli.web;

import io.agentprm.cli.game.Advice;
import io.agentprm.cli.game.Choice;
import io.agentprm.core.report.Html;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The choices of a page as buttons, each drawn once: where a view wants it, or at the end. A button
 * sends the number of its choice, since a browser changes line breaks in texts.
 */
final class Buttons {
    /** Name of the field that a button sends. */
    static final String FIELD = "choice";

    private final List<Choice> choices;
    private final Set<Integer> drawn = new HashSet<>();
    private final double best;

    Buttons(Advice advice) {
        choices = advice.choices();
        best = choices.stream().mapToDouble(Buttons::rank).max().orElse(Double.NaN);
    }

    private static double rank(Choice choice) {
        return choice.score().orElse(Double.NEGATIVE_INFINITY);
    }

    /** The button of an action, or its label alone where there is nothing to click (any more). */
    void draw(Html html, String action, String label, String style) {
        for (int i = 0; i < choices.size(); i++) {
            if (choices.get(i).action().equals(action) && drawn.add(i)) {
                button(html, i, label, style);
                return;
            }
        }
        html.element("span", label, "class", "label");
    }

    /** The button of an action, if it can be done. */
    void drawIfPossible(Html html, String action, String label) {
        if (choices.stream().anyMatch(choice -> choice.action().equals(action))) {
            draw(html, action, label, "");
        }
    }

    /** All that are not drawn yet, in their order. */
    void rest(Html html) {
        if (drawn.size() == choices.size()) {
            return;
        }
        html.open("ul", "class", "actions").line();
        for (int i = 0; i < choices.size(); i++) {
            if (drawn.add(i)) {
                html.open("li");
                button(html, i, choices.get(i).action(), "");
                html.close("li").line();
            }
        }
        html.close("ul").line();
    }

    private void button(Html html, int number, String label, String style) {
        Choice choice = choices.get(number);
        boolean isBest = choice.score().isPresent() && rank(choice) == best;
        html.open("span", "class", "choice");
        html.element(
                "button",
                label,
                "name",
                FIELD,
                "value",
                Integer.toString(number),
                "title",
                choice.action(),
                "class",
                isBest ? style + " best" : style);
        if (choice.score().isPresent()) {
            html.open("span", "class", "score").text(choice.scoreText());
            if (choice.probability().isPresent()) {
                html.element("small", " raw " + choice.rawText());
            }
            html.close("span");
        }
        if (choice.proposed()) {
            html.element("span", "proposed", "class", "proposed");
        }
        html.close("span");
    }
}
