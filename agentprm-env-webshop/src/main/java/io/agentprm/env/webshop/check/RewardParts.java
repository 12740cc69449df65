package io.agentprm.env.webshop.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.env.webshop.reward.Reward;

/** The parts of a reward under the names of the original. */
final class RewardParts {
    private RewardParts() {}

    static void compare(Tally tally, String where, JsonNode recorded, Reward actual) {
        double parts = actual.parts();
        number(tally, where, recorded, "r_type", actual.type().score());
        flag(tally, where, recorded, "query_match", actual.type().query());
        flag(tally, where, recorded, "category_match", actual.type().category());
        number(tally, where, recorded, "title_score", actual.type().title());
        number(
                tally,
                where,
                recorded,
                "r_att",
                actual.attributes() / (double) actual.wantedAttributes());
        number(tally, where, recorded, "w_att", actual.wantedAttributes() / parts);
        flag(tally, where, recorded, "r_price", actual.price());
        number(tally, where, recorded, "w_price", 1 / parts);
        // Absent in the original if the goal has no options.
        tally.compare(
                where, "r_option is there", recorded.has("r_option"), actual.wantedOptions() > 0);
        if (recorded.has("r_option")) {
            double options = actual.wantedOptions();
            number(tally, where, recorded, "r_option", actual.options() / options);
            number(tally, where, recorded, "w_option", options / parts);
        }
    }

    private static void number(
            Tally tally, String where, JsonNode recorded, String name, double actual) {
        tally.compare(where, name, Fields.number(recorded, name), actual);
    }

    private static void flag(
            Tally tally, String where, JsonNode recorded, String name, boolean actual) {
        tally.compare(where, name, Fields.flag(recorded, name), actual);
    }
}
