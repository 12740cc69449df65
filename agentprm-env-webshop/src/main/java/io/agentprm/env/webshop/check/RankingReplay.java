package io.agentprm.env.webshop.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.env.webshop.search.Inventory;
import io.agentprm.env.webshop.search.ShopIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rankings of searches: words, order, and scores. */
final class RankingReplay {
    /** Scores are recorded with six decimals. */
    private static final double TOLERANCE = 1e-4;

    private static final List<Pattern> SIZES =
            List.of(Pattern.compile("(\\d+)-product"), Pattern.compile("_(\\d+)\\.json"));

    private final Inventory inventory;
    private final Tally tally;

    /**
     * @param description of the recording, or else its name, tells how many products it was made
     *     with; without a number it was the whole catalogue
     */
    RankingReplay(Reference reference, String description, Tally tally) {
        this.inventory = reference.inventory(size(description));
        this.tally = tally;
    }

    private static int size(String description) {
        for (Pattern pattern : SIZES) {
            Matcher found = pattern.matcher(description);
            if (found.find()) {
                return Integer.parseInt(found.group(1));
            }
        }
        return 0;
    }

    void replay(String where, JsonNode json) {
        String query = Fields.text(json, "query");
        String place = where + " '" + query + "'";
        ShopIndex index = inventory.index();
        if (json.has("analyzed_terms")) {
            List<String> words = new ArrayList<>();
            for (Map.Entry<String, Integer> term : index.terms(query).entrySet()) {
                for (int i = 0; i < term.getValue(); i++) {
                    words.add(term.getKey());
                }
            }
            words.sort(null);
            tally.compare(
                    place,
                    "words",
                    Fields.texts(json, "analyzed_terms").stream().sorted().toList(),
                    words);
        }
        List<ShopIndex.Hit> hits = index.search(query);
        List<String> expected = new ArrayList<>();
        List<String> actual = new ArrayList<>();
        for (JsonNode hit : Fields.list(json, "hits")) {
            expected.add(hit.path(0).asText());
        }
        for (ShopIndex.Hit hit : hits) {
            actual.add(inventory.catalog().product(hit.ordinal()).asin());
        }
        tally.compare(place, "total", Fields.required(json, "total").intValue(), hits.size());
        tally.compare(place, "ranking", expected, actual);
        for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
            double recorded = json.path("hits").path(i).path(1).doubleValue();
            double score = hits.get(i).score();
            tally.compare(
                    place + ", hit " + (i + 1),
                    "score",
                    recorded,
                    Math.abs(recorded - score) <= TOLERANCE ? recorded : score);
        }
    }
}
