package io.agentprm.env.webshop.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.api.run.RandomSource;
import io.agentprm.env.webshop.shop.Answer;
import io.agentprm.env.webshop.shop.ObservationMode;
import io.agentprm.env.webshop.shop.Shop;
import io.agentprm.env.webshop.shop.Visit;

/** Episodes: observations, clickables, addresses and rewards, step by step. */
final class EpisodeReplay {
    private final Shop shop;
    private final Tally tally;

    EpisodeReplay(Reference reference, Tally tally) {
        this.shop = reference.shop();
        this.tally = tally;
    }

    void replay(String where, JsonNode episode) {
        Visit visit =
                new Visit(
                        shop,
                        Fields.goal(Fields.required(episode, "goal")),
                        "SID",
                        RandomSource.of(0));
        compareState(where + ", start", Fields.required(episode, "initial"), visit);
        int number = 0;
        for (JsonNode step : Fields.list(episode, "steps")) {
            number++;
            String action = Fields.text(step, "action");
            String place = where + ", step " + number + " '" + action + "'";
            Answer answer = visit.act(action);
            compareState(place, step, visit);
            boolean bought = answer instanceof Answer.Bought;
            tally.compare(place, "done", Fields.flag(step, "done"), bought);
            double reward = answer instanceof Answer.Bought sale ? sale.reward().total() : 0.0;
            tally.compare(place, "reward", Fields.number(step, "reward"), reward);
            if (step.has("reward_info") && answer instanceof Answer.Bought sale) {
                RewardParts.compare(
                        tally, place, Fields.required(step, "reward_info"), sale.reward());
            }
        }
    }

    private void compareState(String place, JsonNode recorded, Visit visit) {
        tally.compare(
                place,
                "text",
                Fields.text(recorded, "text"),
                visit.observation(ObservationMode.TEXT));
        tally.compare(
                place,
                "text_rich",
                Fields.text(recorded, "text_rich"),
                visit.observation(ObservationMode.TEXT_RICH));
        JsonNode actions = Fields.required(recorded, "available_actions");
        tally.compare(
                place,
                "has_search_bar",
                Fields.flag(actions, "has_search_bar"),
                visit.hasSearchBar());
        tally.compare(
                place, "clickables", Fields.texts(actions, "clickables"), visit.clickableNames());
        tally.compare(place, "url", Fields.text(recorded, "url_path"), visit.url());
    }
}
