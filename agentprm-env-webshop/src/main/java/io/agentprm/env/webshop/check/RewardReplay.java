package io.agentprm.env.webshop.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.catalog.Catalog;
import io.agentprm.env.webshop.reward.Reward;

/** Purchases with their rewards. */
final class RewardReplay {
    private final Reference reference;
    private final Tally tally;

    RewardReplay(Reference reference, Tally tally) {
        this.reference = reference;
        this.tally = tally;
    }

    void replay(String where, JsonNode json) {
        Catalog catalog = reference.inventory(0).catalog();
        String asin = Fields.text(json, "purchased_asin");
        int bought =
                catalog.find(asin)
                        .orElseThrow(
                                () ->
                                        new WebshopException(
                                                "product "
                                                        + asin
                                                        + " is not in the catalogue; give the"
                                                        + " directory that it was recorded with"));
        Reward reward =
                reference
                        .rewards()
                        .judge(
                                catalog.product(bought),
                                Fields.goal(Fields.required(json, "goal")),
                                Fields.number(json, "price"),
                                Fields.dict(json, "options").values());
        tally.compare(where, "reward", Fields.number(json, "reward"), reward.total());
        RewardParts.compare(tally, where, Fields.required(json, "info"), reward);
    }
}
