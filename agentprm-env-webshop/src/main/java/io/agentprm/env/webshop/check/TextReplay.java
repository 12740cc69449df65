package io.agentprm.env.webshop.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.env.webshop.goal.GoalOption;
import io.agentprm.env.webshop.reward.Colors;
import io.agentprm.env.webshop.reward.Similarity;
import io.agentprm.env.webshop.reward.TokenSets;

/** Comparisons of texts, and colours. */
final class TextReplay {
    private final Tally tally;

    TextReplay(Tally tally) {
        this.tally = tally;
    }

    /** Two texts, or a text and an option of a goal made by rule. */
    void replayRatio(String where, JsonNode json) {
        String a;
        String b;
        if (json.has("g_option")) {
            JsonNode option = Fields.list(json, "g_option");
            a = Fields.text(json, "p_option");
            b = GoalOption.of(option.path(0).asText(), option.path(1).asText()).pythonText();
        } else {
            a = Fields.text(json, "a");
            b = Fields.text(json, "b");
        }
        String place = where + " '" + a + "' and '" + b + "'";
        ratio(place, json, "difflib", TokenSets.ratio(a, b, Similarity.DIFFLIB));
        ratio(place, json, "levenshtein", TokenSets.ratio(a, b, Similarity.LEVENSHTEIN));
    }

    private void ratio(String place, JsonNode json, String name, int actual) {
        if (json.has(name)) {
            tally.compare(place, name, Fields.required(json, name).intValue(), actual);
        }
    }

    void replayColor(String where, JsonNode json) {
        String input = Fields.text(json, "input");
        tally.compare(
                where + " '" + input + "'",
                "colour",
                Fields.text(json, "output"),
                Colors.normalise(input));
    }
}
