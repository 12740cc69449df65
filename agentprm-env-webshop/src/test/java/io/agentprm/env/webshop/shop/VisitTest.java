package io.agentprm.env.webshop.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.run.RandomSource;
import io.agentprm.env.webshop.TestProducts;
import io.agentprm.env.webshop.goal.GoalBook;
import io.agentprm.env.webshop.goal.GoalKind;
import io.agentprm.env.webshop.goal.GoalRules;
import io.agentprm.env.webshop.python.PythonText;
import io.agentprm.env.webshop.reward.RewardFunction;
import io.agentprm.env.webshop.reward.Similarity;
import io.agentprm.env.webshop.search.Inventory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the original does in a visit, where recordings may not reach. */
class VisitTest {
    @TempDir private Path folder;
    private Inventory inventory;
    private Visit visit;

    @BeforeEach
    void comeIn() {
        inventory = TestProducts.inventory(folder);
        visit = visit(false);
    }

    @AfterEach
    void close() {
        inventory.close();
    }

    private Visit visit(boolean attributes) {
        GoalBook goals = GoalBook.of(inventory, GoalRules.original(GoalKind.HUMAN, 1));
        RewardFunction rewards = new RewardFunction(title -> List.of("scarf"), Similarity.DIFFLIB);
        Shop shop = Shop.of(inventory, goals, rewards, attributes, ProductLinks.ASIN);
        return new Visit(shop, goals.goal(0), "s", RandomSource.of(1));
    }

    @Test
    void anActionIsANameAndAnArgumentInBrackets() {
        for (String wrong :
                new String[] {
                    "",
                    "search",
                    "search[]",
                    "[x]",
                    " search[x]",
                    "Search[x]",
                    "search[a[b]c]",
                    "search\n[x]",
                    "look[x]",
                    "click[search]",
                    "click[buy now]"
                }) {
            assertInstanceOf(Answer.Refused.class, visit.act(wrong), wrong);
            assertTrue(visit.hasSearchBar(), wrong);
        }
        assertInstanceOf(Answer.Moved.class, visit.act("search[WOOL] and so on\nmore]"));
        assertTrue(visit.url().endsWith("/search_results/s/wool/1"), visit.url());
    }

    @Test
    void aSearchIsPossibleOnEveryPageAndAfterThePurchase() {
        act("search[scarf]", "click[b000000001]", "click[features]", "search[lamp]");
        act("click[b000000003]");
        assertInstanceOf(Answer.Bought.class, visit.act("click[buy now]"));
        assertEquals(List.of(), visit.clicks());
        act("search[scarf]");
        assertTrue(visit.clicks().contains("click[b000000001]"));
    }

    @Test
    void aValueOfSeveralGroupsSetsTheLastOne() {
        act("search[scarf]", "click[b000000001]", "click[red | blue]");
        assertTrue(visit.url().endsWith("{\"color\": \"red | blue\"}"), visit.url());
        act("click[red  |  blue]");
        assertTrue(
                visit.url().endsWith("{\"color\": \"red | blue\", \"style\": \"red  |  blue\"}"),
                visit.url());
    }

    @Test
    void aValueThatIsCalledLikeAButtonIsChosenWhereThatButtonIsNot() {
        act("search[scarf]", "click[b000000001]", "click[next >]");
        assertTrue(visit.url().endsWith("{\"color\": \"next >\"}"), visit.url());
    }

    @Test
    void whatCannotBeNamedInAnActionIsSeenButNotListed() {
        act("search[scarf]", "click[b000000001]");
        assertTrue(visit.clickableNames().contains("[big]"));
        assertFalse(visit.clicks().contains("click[[big]]"));
        assertInstanceOf(Answer.Refused.class, visit.act("click[[big]]"));
    }

    @Test
    void pagesGoOnPastTheLastOne() {
        act("search[wool]", "click[next >]", "click[next >]");
        assertEquals(List.of("back to search", "< prev", "next >"), visit.clickableNames());
        assertTrue(visit.observation(ObservationMode.TEXT).contains("Page 3 (Total results: 2)"));
    }

    /** The original tells pages apart by their address, which holds the words of the search. */
    @Test
    void aSearchForTheNameOfAPageConfusesTheWayBack() {
        act("search[search_results scarf]", "click[b000000001]", "click[< prev]");
        assertTrue(visit.url().endsWith("/0"), visit.url());
        act("search[item_page scarf]", "click[b000000001]", "click[reviews]", "click[< prev]");
        assertTrue(visit.url().contains("/search_results/"), visit.url());
    }

    @Test
    void optionsAreForgottenOnTheWayBackToTheResultsOnly() {
        act("search[scarf]", "click[b000000001]", "click[red | blue]", "click[reviews]");
        act("click[< prev]");
        assertTrue(visit.url().contains("red"), visit.url());
        act("click[< prev]", "click[b000000001]");
        assertTrue(visit.url().endsWith("/{}"), visit.url());
    }

    @Test
    void openedProductsAreMarkedUntilTheStartPage() {
        act("search[scarf]", "click[b000000001]", "click[< prev]");
        String mark = "\n[clicked button] B000000001 [clicked button_]\n";
        assertTrue(visit.observation(ObservationMode.TEXT_RICH).contains(mark));
        act("click[back to search]", "search[scarf]");
        assertFalse(visit.observation(ObservationMode.TEXT_RICH).contains(mark));
    }

    @Test
    void specialSearchesListByCategoryQueryAndChance() {
        act("search[<c> garden]");
        assertTrue(visit.observation(ObservationMode.TEXT).contains("Total results: 2"));
        act("search[<q> scarves]");
        assertTrue(visit.observation(ObservationMode.TEXT).contains("Total results: 1"));
        act("search[<r>]");
        assertTrue(visit.observation(ObservationMode.TEXT).contains("Total results: 3"));
        assertInstanceOf(Answer.Refused.class, visit.act("search[<a> soft wool]"));
        assertInstanceOf(Answer.Refused.class, visit.act("search[<c>]"));
    }

    @Test
    void emptyTitlesAndDescriptionsLeaveNoTextAndEmptyFeaturesABlankOne() {
        act("search[one]", "click[b000000002]");
        String item = visit.observation(ObservationMode.TEXT);
        assertTrue(item.contains("< Prev [SEP] Price: $100.0"), item);
        act("click[description]");
        assertTrue(visit.observation(ObservationMode.TEXT).endsWith("[SEP] < Prev"));
        act("search[scarf]", "click[b000000001]", "click[features]");
        assertTrue(visit.observation(ObservationMode.TEXT).endsWith(" [SEP] soft wool [SEP] "));
        assertTrue(visit.observation(ObservationMode.TEXT_RICH).endsWith("\n soft wool\n \n"));
    }

    @Test
    void attributesAreShownIfAskedFor() {
        visit = visit(true);
        act("search[scarf]", "click[b000000001]", "click[attributes]");
        String page = visit.observation(ObservationMode.TEXT);
        assertTrue(
                page.endsWith(
                        "soft wool [SEP] long lasting [SEP] fashion [SEP] scarves [SEP] Clothing ›"
                                + " Scarves"),
                page);
    }

    @Test
    void markupHoldsTheTextsOfThePageInTheirOrderOnEveryPage() {
        String[] way = {
            "search[wool]", "click[b000000001]", "click[red | blue]", "click[features]",
            "click[< prev]", "click[description]", "click[back to search]", "search[one]",
            "click[b000000002]", "click[buy now]"
        };
        for (String action : way) {
            assertEquals(
                    visit.observation(ObservationMode.TEXT),
                    textOf(visit.observation(ObservationMode.HTML)));
            visit.act(action);
        }
        assertEquals(
                visit.observation(ObservationMode.TEXT),
                textOf(visit.observation(ObservationMode.HTML)));
    }

    private static String textOf(String html) {
        List<String> texts = new ArrayList<>();
        for (String text : html.split("<[^>]*>")) {
            if (!text.isEmpty() && !text.equals("\n")) {
                texts.add(
                        PythonText.strip(
                                text.replace("&lt;", "<")
                                        .replace("&gt;", ">")
                                        .replace("&quot;", "\"")
                                        .replace("&amp;", "&")));
            }
        }
        return String.join(" [SEP] ", texts);
    }

    @Test
    void markupHasTheHooksOfTheOriginal() {
        String start = visit.observation(ObservationMode.HTML);
        assertTrue(start.contains("<input id=\"search_input\" type=\"text\">"), start);
        assertTrue(start.contains("<div id=\"instruction-text\"><h4>Instruction: <br>"), start);
        act("search[scarf]");
        String results = visit.observation(ObservationMode.HTML);
        assertTrue(results.contains("<a class=\"product-link\">B000000001</a>"), results);
        act("click[b000000001]", "click[red | blue]");
        String item = visit.observation(ObservationMode.HTML);
        assertTrue(item.contains("<button class=\"btn\">&lt; Prev</button>"), item);
        String radio = "<input type=\"radio\" name=\"%s\" value=\"%s\"%s>";
        assertTrue(item.contains(radio.formatted("color", "red | blue", " checked")), item);
        assertTrue(item.contains(radio.formatted("color", "next &gt;", "")), item);
        assertTrue(item.contains(radio.formatted("style", "red  |  blue", "")), item);
    }

    @Test
    void theAddressAloneIsAnObservationToo() {
        act("search[red scarf]", "click[b000000001]");
        assertEquals(
                "http://127.0.0.1:3000/item_page/s/B000000001/red+scarf/1/{}",
                visit.observation(ObservationMode.URL));
    }

    @Test
    void aCopyGoesItsOwnWay() {
        act("search[scarf]", "click[b000000001]", "click[red | blue]");
        Visit copy = visit.copy();
        String before = visit.observation(ObservationMode.TEXT_RICH);
        copy.act("click[back to search]");
        assertEquals(before, visit.observation(ObservationMode.TEXT_RICH));
        assertTrue(copy.hasSearchBar());
    }

    private void act(String... actions) {
        for (String action : actions) {
            assertInstanceOf(Answer.Moved.class, visit.act(action), action);
        }
    }
}
