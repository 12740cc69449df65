package io.agentprm.env.webshop.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.env.webshop.TestProducts;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.suite.Storage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A check counts what differs, and whatever it could not compare. */
class RecordingCheckTest {
    private static final String GOAL =
            """
            {"asin": "B000000001", "category": "fashion", "query": "scarves", "name": "Red Wool Scarf",
             "product_category": "Clothing › Scarves", "instruction_text": "i want a scarf",
             "attributes": ["soft wool"], "price_upper": 50.0, "goal_options": ["red"]}
            """;
    private static final String START =
            """
            {"text": "WebShop [SEP] Instruction: [SEP] i want a scarf [SEP] Search",
             "text_rich": "WebShop\\nInstruction: \\ni want a scarf\\n[button] Search [button_]\\n",
             "available_actions": {"has_search_bar": true, "clickables": ["search"]},
             "url_path": "http://127.0.0.1:3000/SID", "action": "look", "reward": 0.0, "done": false}
            """;

    @TempDir private Path folder;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void whatIsTheSameIsCounted() throws IOException {
        assertEquals("12 comparisons, 0 mismatches", check(episode(START)).toString());
        assertEquals("12 comparisons, 0 mismatches\n", text());
    }

    @Test
    void everyDifferenceIsPrintedAndCounted() throws IOException {
        String other =
                START.replace("[SEP] Search\"", "[SEP] Find\"")
                        .replace("\"reward\": 0.0", "\"reward\": 1.0");
        assertEquals(2, check(episode(other)).mismatches());
        assertTrue(text().contains("episode 7, step 1 'look': text"), this::text);
        assertTrue(text().contains("  expected 1.0\n  actual   0.0\n"), this::text);
    }

    @Test
    void aCaseThatLacksAFieldIsAMismatchAndTheNextOnesGoOn() throws IOException {
        String rewards =
                "{\"cases\": [{\"goal\": {}}, {\"purchased_asin\": \"B000000001\", \"goal\": "
                        + GOAL
                        + "}, {\"purchased_asin\": \"B0\", \"goal\": "
                        + GOAL
                        + "}]}";
        assertEquals("3 comparisons, 3 mismatches", check(rewards).toString());
        assertTrue(text().contains("case 1: field 'price' is missing"), this::text);
        assertTrue(text().contains("case 2: product B0 is not in the catalogue"), this::text);
    }

    @Test
    void aRankingSaysHowManyProductsItWasMadeWith() throws IOException {
        String hits =
                ", \"queries\": [{\"query\": \"wool\", \"total\": 1, \"hits\": [[\"B000000001\", -1]]}]}";
        assertEquals(2, check("{\"description\": \"all\"" + hits).mismatches() - 1);
        // One score is wrong on purpose; of the first entry alone, the rest is right.
        assertEquals(1, check("{\"description\": \"a 1-product index\"" + hits).mismatches());
    }

    @Test
    void similaritiesAndColoursAreCompared() throws IOException {
        assertEquals(
                "3 comparisons, 1 mismatches",
                check(
                                "{\"cases\": [{\"a\": \"aaaa\", \"b\": \"abaa\", \"difflib\": 50,"
                                        + " \"levenshtein\": 50}], \"tuple_cases\": [{\"p_option\":"
                                        + " \"xl\", \"g_option\": [\"size\", \"xl\"], \"difflib\":"
                                        + " 100}]}")
                        .toString());
        assertEquals(1, check("[{\"input\": \"a1-purple\", \"output\": \"blue\"}]").mismatches());
    }

    @Test
    void aFileThatIsNoRecordingIsRefused() {
        refused("", "is empty");
        refused("{\"episodes\": [", "not JSON");
        refused("{\"cases\": []}", "no recording");
        refused("[1]", "no recording");
    }

    private void refused(String content, String message) {
        WebshopException e = assertThrows(WebshopException.class, () -> check(content));
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    private static String episode(String step) {
        return "{\"episodes\": [{\"id\": 7, \"goal\": "
                + GOAL
                + ", \"initial\": "
                + START
                + ", \"steps\": ["
                + step
                + "]}]}";
    }

    private RecordingCheck.Result check(String content) throws IOException {
        Path file = Files.writeString(folder.resolve("recording.json"), content);
        return RecordingCheck.run(
                TestProducts.write(folder.resolve("data")),
                Storage.MEMORY,
                title -> List.of("scarf"),
                List.of(file),
                new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
