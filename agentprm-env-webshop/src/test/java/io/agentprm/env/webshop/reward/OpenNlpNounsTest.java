package io.agentprm.env.webshop.reward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.env.webshop.TestData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Titles are cut and tagged as for the table that the recordings were made with. */
class OpenNlpNounsTest {
    private final NounExtractor nouns = OpenNlpNouns.create();

    @Test
    void titlesAreCutAtPunctuationUnitsAndPossessives() {
        assertEquals(
                List.of(
                        "Women", "'s", "Slip", "-", "On", "(", "2", "Pack", ")", ",", "40", "mm",
                        ",", "HB-116", ",", "D.O.N."),
                List.of(TitleTokens.of("Women's Slip-On (2 Pack), 40mm, HB-116, D.O.N.")));
    }

    @Test
    void nounsAreInLowerCaseAndAsOftenAsTheyOccur() {
        assertEquals(List.of("table", "lamp", "table"), nouns.nouns("Table and Lamp, a Table"));
    }

    @Test
    void theTableIsReproducedButForOneTitleInAHundred() {
        JsonNode titles = TestData.json("noun_tokens.json").path("titles");
        int same = 0;
        for (Map.Entry<String, JsonNode> title : titles.properties()) {
            List<String> recorded = new ArrayList<>();
            title.getValue().forEach(noun -> recorded.add(noun.asText()));
            if (nouns.nouns(title.getKey()).equals(recorded)) {
                same++;
            }
        }
        assertTrue(same >= 0.99 * titles.size(), same + " of " + titles.size());
    }
}
