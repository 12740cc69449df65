package io.agentprm.env.webshop.goal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.env.webshop.TestData;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.catalog.Digests;
import io.agentprm.env.webshop.search.Inventory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Goals, their order and their price limits are those of the original and its variants. */
class GoalBookTest {
    private static final UnaryOperator<String> WITHOUT_PRICE =
            text -> text.replaceAll(", and price lower than [0-9.]+ dollars$", "");

    private static Inventory inventory;
    private static JsonNode recorded;

    @BeforeAll
    static void load() {
        inventory = TestData.inventory();
        recorded = TestData.json("goals.json");
    }

    @AfterAll
    static void close() {
        if (inventory != null) {
            inventory.close();
        }
    }

    @Test
    void syntheticGoalsOfTheOriginal() {
        same("synthetic_1000", GoalRules.original(GoalKind.SYNTHETIC, 42));
    }

    @Test
    void goalsOfPeople() {
        same("human_subset13", GoalRules.original(GoalKind.HUMAN, 42));
    }

    @Test
    void goalsOfVerlAgentsWorkers() {
        same("verl_agent_seed_0", GoalRules.verlAgent(0));
        same("verl_agent_seed_1000", GoalRules.verlAgent(1000));
    }

    /** Where the limit does not depend on a price that AgentGym draws without a seed. */
    @Test
    void goalsOfAgentGym() {
        GoalBook book = GoalBook.of(inventory, GoalRules.agentGym(42));
        JsonNode variant = recorded.path("agentgym_variant");
        assertEquals(variant.path("count").intValue(), book.size());
        variant.path("sample")
                .properties()
                .forEach(
                        goal -> {
                            String actual =
                                    book.goal(Integer.parseInt(goal.getKey())).instruction();
                            assertEquals(
                                    WITHOUT_PRICE.apply(goal.getValue().asText()),
                                    WITHOUT_PRICE.apply(actual));
                        });
        assertEquals(
                variant.path("sample").path("6").asText(), book.goal(6).instruction(), "goal 6");
    }

    @Test
    void pricesThatTheRewardComparesAreTheRecordedOnes() {
        GoalBook book = GoalBook.of(inventory, GoalRules.original(GoalKind.SYNTHETIC, 42));
        for (String kind : new String[] {"synthetic", "human"}) {
            TestData.json("product_prices.json")
                    .path(kind)
                    .properties()
                    .forEach(
                            price ->
                                    assertEquals(
                                            price.getValue().doubleValue(),
                                            book.price(
                                                    inventory
                                                            .catalog()
                                                            .find(price.getKey())
                                                            .orElseThrow()),
                                            price.getKey()));
        }
    }

    @Test
    void anIdFindsItsGoal() {
        GoalBook book = GoalBook.of(inventory, GoalRules.original(GoalKind.SYNTHETIC, 42));
        for (int position : new int[] {0, 1, 500, 6909}) {
            assertEquals(book.goal(position), book.goal(book.id(position)));
        }
        for (String wrong : new String[] {"", "/0", "B09QCP4579", "B09QCP4579/", "x/0"}) {
            assertThrows(WebshopException.class, () -> book.goal(wrong), wrong);
        }
        assertThrows(WebshopException.class, () -> book.goal("B09QCP4579/99999"));
        assertThrows(WebshopException.class, () -> book.goal("B09QCP4579/01"));
    }

    private static void same(String name, GoalRules rules) {
        GoalBook book = GoalBook.of(inventory, rules);
        JsonNode expected = recorded.path(name);
        assertEquals(expected.path("count").intValue(), book.size());
        assertEquals(
                expected.path("sha256_without_price_lines").asText(),
                hash(book, WITHOUT_PRICE),
                "order");
        assertEquals(
                expected.path("sha256_instruction_lines").asText(),
                hash(book, UnaryOperator.identity()),
                "limits");
        double[] weights = book.weights();
        assertEquals(expected.path("sum_weight").doubleValue(), Arrays.stream(weights).sum(), 1e-9);
        assertTrue(expected.path("sample").size() > 4);
        expected.path("sample")
                .properties()
                .forEach(
                        sample -> {
                            int position = Integer.parseInt(sample.getKey());
                            JsonNode goal = sample.getValue();
                            assertEquals(facts(goal), facts(book.goal(position)));
                            assertEquals(
                                    goal.path("weight").doubleValue(), weights[position], 1e-15);
                        });
    }

    private static String hash(GoalBook book, UnaryOperator<String> change) {
        return Digests.sha256(
                IntStream.range(0, book.size())
                        .mapToObj(i -> change.apply(book.goal(i).instruction()))
                        .collect(Collectors.joining("\n")));
    }

    private static Map<String, String> facts(Goal goal) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("asin", goal.asin());
        facts.put("category", goal.category());
        facts.put("query", goal.query());
        facts.put("name", goal.name());
        facts.put("product_category", goal.productCategory());
        facts.put("instruction_text", goal.instruction());
        facts.put("attributes", goal.attributes().toString());
        facts.put("price_upper", Double.toString(goal.priceUpper()));
        facts.put(
                "goal_options",
                goal.options().stream()
                        .map(o -> o.name().map(n -> n + "=").orElse("") + o.value())
                        .toList()
                        .toString());
        return facts;
    }

    private static Map<String, String> facts(JsonNode goal) {
        Map<String, String> facts = new LinkedHashMap<>();
        for (String name :
                new String[] {
                    "asin", "category", "query", "name", "product_category", "instruction_text"
                }) {
            facts.put(name, goal.path(name).asText());
        }
        facts.put("attributes", texts(goal.path("attributes")));
        facts.put("price_upper", Double.toString(goal.path("price_upper").doubleValue()));
        facts.put(
                "goal_options",
                goal.path("goal_options").isArray()
                        ? texts(goal.path("goal_options"))
                        : goal.path("goal_options").properties().stream()
                                .map(o -> o.getKey() + "=" + o.getValue().asText())
                                .toList()
                                .toString());
        return facts;
    }

    private static String texts(JsonNode list) {
        return IntStream.range(0, list.size())
                .mapToObj(i -> list.path(i).asText())
                .toList()
                .toString();
    }
}
