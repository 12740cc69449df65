package io.agentprm.env.webshop.expert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import io.agentprm.env.webshop.generator.GeneratorOptions;
import io.agentprm.env.webshop.goal.GoalKind;
import io.agentprm.env.webshop.shop.ObservationMode;
import io.agentprm.env.webshop.suite.Variant;
import io.agentprm.env.webshop.suite.WebshopConfig;
import io.agentprm.env.webshop.suite.WebshopProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Shoppers get by on what they see, and the expert does better than the rules. */
class ShopperTest {
    private static final WebshopConfig CONFIG =
            WebshopConfig.generated(new GeneratorOptions(3, 400));
    private static final int TASKS = 60;

    private static Environment environment;

    @BeforeAll
    static void open() {
        environment = open(CONFIG);
    }

    @AfterAll
    static void close() {
        environment.close();
    }

    private static Environment open(WebshopConfig config) {
        return new WebshopProvider().create(config, RunContext.ofSeed(1));
    }

    private record Play(List<Decision> decisions, EpisodeEnd.Terminated end) {}

    private static Play play(Environment where, ShopperOptions options, Task task) {
        List<Decision> decisions = new ArrayList<>();
        try (Session session = where.open();
                Shopper shopper = new Shopper(options)) {
            State state = State.initial(task, session.reset(task, 1));
            while (true) {
                Decision decision = decide(shopper, state);
                decisions.add(decision);
                StepResult result = session.step(decision.action());
                assertTrue(result.feedback().valid(), () -> task + ", " + decision.action());
                state = state.next(decision, result.observation());
                if (result.end().isPresent()) {
                    return new Play(decisions, result.end().get());
                }
            }
        }
    }

    private static Decision decide(Shopper shopper, State state) {
        RandomSource random = RandomSource.of(5).derive(state.task().id()).derive(state.turn());
        EpisodeId episode = new EpisodeId(state.task().id(), 0);
        return shopper.decide(List.of(DecisionRequest.of(state, episode, 1, random))).get(0).get(0);
    }

    private static double score(Environment where, ShopperOptions options) {
        double score = 0;
        for (Task task : tasks(where)) {
            score += play(where, options, task).end().outcome();
        }
        return score / tasks(where).size();
    }

    private static List<Task> tasks(Environment where) {
        List<Task> tasks = where.tasks("train");
        return tasks.subList(0, Math.min(TASKS, tasks.size()));
    }

    @Test
    void theExpertIsBetterThanTheRulesAndTheseThanChance() {
        double expert = score(environment, ShopperOptions.of(ShopperKind.EXPERT));
        double options = score(environment, ShopperOptions.of(ShopperKind.FIRST_HIT_WITH_OPTIONS));
        double firstHit = score(environment, ShopperOptions.of(ShopperKind.FIRST_HIT));
        double random = score(environment, ShopperOptions.of(ShopperKind.RANDOM));
        String scores = expert + ", " + options + ", " + firstHit + ", " + random;
        assertTrue(expert > options && options > firstHit && firstHit > random, scores);
    }

    @Test
    void aHastyShopperOpensAnyOfTheFirstResultsAndForgetsOptions() {
        ShopperOptions hasty = new ShopperOptions(ShopperKind.HASTY, 3, false, 0);
        double rule = score(environment, ShopperOptions.of(ShopperKind.FIRST_HIT_WITH_OPTIONS));
        double found = score(environment, hasty);
        double random = score(environment, ShopperOptions.of(ShopperKind.RANDOM));
        assertTrue(rule > found && found > random, rule + ", " + found + ", " + random);
    }

    @Test
    void aShopperSearchesAsTheStartPageSuggests() {
        try (Environment suggesting = open(CONFIG.withSuggestedSearches(2))) {
            Task task = tasks(suggesting).get(0);
            Play play = play(suggesting, ShopperOptions.of(ShopperKind.FIRST_HIT), task);
            try (Session session = suggesting.open()) {
                List<String> suggested =
                        session.reset(task, 1).observation().admissibleActions().orElseThrow();
                assertEquals(suggested.get(0), play.decisions().get(0).action().text());
            }
        }
    }

    @Test
    void theExpertReadsBothModesAndBothKindsOfInstructions() {
        try (Environment rich = open(CONFIG.with(ObservationMode.TEXT_RICH));
                Environment human = open(CONFIG.with(GoalKind.HUMAN, Variant.ORIGINAL))) {
            ShopperOptions expert = ShopperOptions.of(ShopperKind.EXPERT);
            assertEquals(score(environment, expert), score(rich, expert), 1e-9);
            ShopperOptions rule = ShopperOptions.of(ShopperKind.FIRST_HIT_WITH_OPTIONS);
            assertTrue(score(human, expert) > score(human, rule));
        }
    }

    @Test
    void theExpertBuysWithinFifteenActionsAlsoWhenItReads() {
        ShopperOptions reading = new ShopperOptions(ShopperKind.EXPERT, 2, true, 0);
        for (Task task : tasks(environment)) {
            EpisodeEnd.Terminated end = play(environment, reading, task).end();
            assertFalse(end.reason() == EpisodeEnd.Reason.STEP_LIMIT, task::toString);
        }
    }

    @Test
    void noiseIsMarkedAsNotDeliberateAndStartsWithASearch() {
        ShopperOptions noisy = ShopperOptions.of(ShopperKind.EXPERT).withNoise(0.5);
        List<Decision> decisions = new ArrayList<>();
        for (Task task : tasks(environment).subList(0, 10)) {
            List<Decision> played = play(environment, noisy, task).decisions();
            assertTrue(played.get(0).deliberate());
            decisions.addAll(played);
        }
        long stray = decisions.stream().filter(decision -> !decision.deliberate()).count();
        assertTrue(stray > 0 && stray < decisions.size(), stray + " of " + decisions.size());
    }

    @Test
    void aPageSaysWhatItShowsInBothModes() {
        Observation plain =
                Observation.text(
                                "Instruction: [SEP] red scarf [SEP] Back to Search [SEP] < Prev [SEP]"
                                        + " color [SEP] red [SEP] blue [SEP] Wool Scarf [SEP] Price:"
                                        + " $12.5 to $20.0 [SEP] Rating: N.A. [SEP] Description [SEP]"
                                        + " Features [SEP] Reviews [SEP] Buy Now")
                        .withAdmissibleActions(List.of("click[red]", "click[blue]"));
        SeenPage.Item expected =
                new SeenPage.Item("Wool Scarf", 12.5, Map.of("color", List.of("red", "blue")));
        assertEquals(expected, SeenPage.of(plain));
        Observation rich =
                Observation.text(
                                "You have clicked red.\nInstruction:\nred scarf\n[button] Back to"
                                        + " Search [button_]\n[button] < Prev [button_]\ncolor\n  [clicked"
                                        + " button] red [clicked button_]\n  [button] blue [button_]\nWool"
                                        + " Scarf\nPrice: $12.5 to $20.0\nRating: N.A.\n[button]"
                                        + " Description [button_]\n[button] Buy Now [button_]\n")
                        .withAdmissibleActions(List.of("click[red]", "click[blue]"));
        assertEquals(expected, SeenPage.of(rich));
    }

    @Test
    void namedValuesAreChosenByNameAndOthersWhereTheyOccur() {
        Map<String, List<String>> options =
                Map.of("size", List.of("large", "x-large", "8 inch"), "color", List.of("red"));
        assertEquals(
                List.of("x-large"),
                new Wish(
                                "Find me red shirts with size: x-large, and price lower than 30.00 dollars")
                        .choices(Map.of("size", options.get("size"))));
        assertEquals(
                List.of("large"),
                new Wish("i want a large one, redder than others")
                        .choices(Map.of("size", options.get("size"))));
        assertEquals(
                List.of(), new Wish("redder, layered").choices(Map.of("color", List.of("red"))));
    }

    @Test
    void aSearchLeavesOutPriceAndPhrases() {
        assertEquals(
                "easy clean coffee tables solid wood",
                SearchWords.of(
                        "Find me easy clean coffee tables with solid wood, and price lower than"
                                + " 30.00 dollars"));
        assertEquals(
                List.of("search[blue lamp]", "search[blue]"),
                SearchWords.suggestions("I need a blue lamp.", 5));
        assertEquals("find me", SearchWords.of("Find me"));
    }
}
