package io.agentprm.env.webshop.reward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.env.webshop.TestData;
import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.goal.Goal;
import io.agentprm.env.webshop.goal.GoalOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The facts of the original's own unit tests of the reward. */
class UpstreamUnitTestsTest {
    private static final NounExtractor NAME = title -> List.of("name");

    private JsonNode facts;

    @BeforeEach
    void read() {
        facts = TestData.json("upstream_unit_tests.json");
    }

    @Test
    void categoriesMatchWithTwoSharedElements() {
        for (JsonNode one : facts.path("category_match")) {
            assertEquals(
                    one.path("expected").booleanValue(),
                    TypeMatch.categoryMatch(
                            one.path("goal").asText(), one.path("purchased").asText()),
                    one.toString());
        }
    }

    @Test
    void queriesMatchIfTheyAreEqual() {
        for (JsonNode one : facts.path("query_match")) {
            Product bought = product("x", one.path("purchased").asText(), "a", List.of());
            Goal goal = goal(List.of("y"), List.of(), "x", one.path("goal").asText(), "a");
            assertEquals(
                    one.path("expected").booleanValue(),
                    TypeMatch.of(bought, goal, NAME).query(),
                    one.toString());
        }
    }

    @Test
    void theSameProductIsOfTheSameType() {
        JsonNode one = facts.path("identical");
        String path = one.path("product_category").asText();
        Product bought = product("Name 1", "Query 1", path, List.of());
        Goal goal = goal(List.of("y"), List.of(), "Name 1", "Query 1", path);
        assertEquals(new TypeMatch(1, true, true, 1), TypeMatch.of(bought, goal, NAME));
    }

    @Test
    void attributesAreFoundAmongAttributesAndInTexts() {
        for (JsonNode one : facts.path("attribute_reward")) {
            JsonNode bought = one.path("purchased");
            Product product =
                    new Product(
                            "A",
                            bought.path("Title").asText(""),
                            bought.path("Description").asText(""),
                            texts(bought.path("BulletPoints")),
                            List.of(1.0),
                            "$1.0",
                            Map.of(),
                            texts(bought.path("Attributes")),
                            "",
                            "",
                            "",
                            Optional.empty(),
                            List.of());
            Reward reward = judge(product, goal(texts(one.path("goal")), List.of(), "", "", ""));
            assertEquals(one.path("matches").intValue(), reward.attributes(), one.toString());
        }
    }

    @Test
    void optionsMatchByWordsAndColours() {
        for (JsonNode one : facts.path("option_reward")) {
            List<GoalOption> wanted = texts(one.path("goal")).stream().map(GoalOption::of).toList();
            assertEquals(
                    one.path("matches").intValue(),
                    new RewardFunction(NAME, Similarity.DIFFLIB)
                            .options(texts(one.path("purchased")), wanted),
                    one.toString());
        }
    }

    @Test
    void coloursAreNormalised() {
        for (JsonNode one : facts.path("normalize_color")) {
            assertEquals(one.path(1).asText(), Colors.normalise(one.path(0).asText()));
        }
    }

    /** These need spaCy to the digit; with another tagger the factor of the reward is the same. */
    @Test
    void scoresOfTitlesLeadToTheSameFactorAsWithSpacy() {
        NounExtractor nouns = OpenNlpNouns.create();
        for (JsonNode one : facts.path("title_score")) {
            double score =
                    TypeMatch.titleScore(
                            nouns.nouns(one.path("purchased").asText()),
                            nouns.nouns(one.path("goal").asText()));
            if (one.has("expected")) {
                double spacy = one.path("expected").doubleValue();
                assertEquals(spacy > 0.2, score > 0.2, one.toString());
                assertTrue(score >= 0.1 && spacy >= 0.1, one.toString());
            } else {
                assertEquals(0, score, one.toString());
            }
        }
    }

    private static Reward judge(Product bought, Goal goal) {
        return new RewardFunction(NAME, Similarity.DIFFLIB).judge(bought, goal, 35, List.of());
    }

    private static Product product(
            String title, String query, String path, List<String> attributes) {
        return new Product(
                "A",
                title,
                "",
                List.of(""),
                List.of(1.0),
                "$1.0",
                Map.of(),
                attributes,
                "",
                query,
                path,
                Optional.empty(),
                List.of());
    }

    private static Goal goal(
            List<String> attributes,
            List<GoalOption> options,
            String name,
            String query,
            String path) {
        return new Goal("A", "", query, name, path, "", attributes, 40, options);
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
