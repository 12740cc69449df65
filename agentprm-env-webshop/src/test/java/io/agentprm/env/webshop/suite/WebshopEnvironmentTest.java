package io.agentprm.env.webshop.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.api.run.RunContext;
import io.agentprm.env.webshop.TestProducts;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.generator.GeneratorOptions;
import io.agentprm.env.webshop.goal.Goal;
import io.agentprm.env.webshop.goal.GoalKind;
import io.agentprm.env.webshop.goal.GoalOption;
import io.agentprm.env.webshop.shop.ProductLinks;
import io.agentprm.testkit.EnvironmentContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The environment keeps the contract of environments, and the rules of the benchmark. */
class WebshopEnvironmentTest extends EnvironmentContract {
    private static final WebshopConfig CONFIG =
            WebshopConfig.generated(new GeneratorOptions(7, 100));

    @TempDir private Path folder;

    @Override
    protected Environment openEnvironment() {
        return open(CONFIG);
    }

    @Override
    protected Action invalidAction() {
        return Action.text("fly[to the moon]");
    }

    /** The start page lists nothing, as its words are the agent's own. */
    @Override
    protected Action anyAction(Observation observation, RandomGenerator random) {
        return observation.admissibleActions().isPresent()
                ? super.anyAction(observation, random)
                : Action.text("search[easy clean " + random.nextInt(3) + " pack]");
    }

    @Test
    void linksCanBeCalledByTheirPlaceOnThePage() {
        try (WebshopEnvironment byNumber = open(CONFIG.with(ProductLinks.NUMBER));
                WebshopEnvironment byId = open(CONFIG);
                Session numbers = byNumber.open();
                Session ids = byId.open()) {
            assertNotEquals(byId.info(), byNumber.info());
            for (Task task : byId.tasks("test").subList(0, 5)) {
                numbers.reset(task, 1);
                ids.reset(task, 1);
                Action search = Action.text("search[easy clean]");
                Observation results = ids.step(search).observation();
                Observation numbered = numbers.step(search).observation();
                List<String> links = links(results);
                assertEquals(List.of("click[1]", "click[2]"), links(numbered).subList(0, 2));
                assertFalse(numbered.text().contains(" [SEP] B0"));
                for (String link : links) {
                    String number = "click[" + (links.indexOf(link) + 1) + "]";
                    assertEquals(
                            ids.step(Action.text(link)).observation(),
                            numbers.step(Action.text(number)).observation());
                    ids.step(Action.text("click[< prev]"));
                    numbers.step(Action.text("click[< prev]"));
                    if (links.indexOf(link) == 3) {
                        break;
                    }
                }
            }
        }
    }

    private static List<String> links(Observation results) {
        return results.admissibleActions().orElseThrow().stream()
                .filter(click -> !click.contains(" "))
                .toList();
    }

    @Test
    void goalsOfProductsHeldOutAreInNoOtherSplit() {
        WebshopConfig config = CONFIG.withHeldOutProducts(0.3);
        try (WebshopEnvironment environment = open(config);
                WebshopEnvironment whole = open(CONFIG)) {
            assertEquals(List.of("train", "dev", "test", "unseen"), environment.splits());
            Set<String> unseen = products(environment, "unseen");
            int goals = environment.tasks("unseen").size();
            for (String split : whole.splits()) {
                Set<String> seen = products(environment, split);
                assertFalse(seen.isEmpty());
                assertTrue(seen.stream().noneMatch(unseen::contains), split);
                goals += environment.tasks(split).size();
            }
            assertEquals(whole.splits().stream().mapToInt(s -> whole.tasks(s).size()).sum(), goals);
            assertFalse(unseen.isEmpty());
            assertNotEquals(whole.info(), environment.info());
        }
        assertThrows(IllegalArgumentException.class, () -> CONFIG.withHeldOutProducts(1));
    }

    private static Set<String> products(WebshopEnvironment environment, String split) {
        Set<String> products = new HashSet<>();
        environment.tasks(split).forEach(t -> products.add(t.id().replaceAll("/.*", "")));
        return products;
    }

    @Test
    void buyingWhatIsWantedReachesTheGoal() {
        try (WebshopEnvironment environment = open(CONFIG);
                Session session = environment.open()) {
            for (Task task : environment.tasks("test").subList(0, 5)) {
                assertEquals(1, buy(environment, session, task).end().orElseThrow().outcome());
            }
        }
    }

    /** Goes to the product by its title and takes the options of the goal. */
    private static StepResult buy(WebshopEnvironment environment, Session session, Task task) {
        Goal goal = environment.loaded().goals().goal(task.id());
        session.reset(task, 1);
        String click = "click[" + goal.asin().toLowerCase(Locale.ROOT) + "]";
        StepResult results = session.step(Action.text("search[" + goal.name() + "]"));
        while (!results.observation().admissibleActions().orElseThrow().contains(click)) {
            results = session.step(Action.text("click[next >]"));
        }
        session.step(Action.text(click));
        for (GoalOption option : goal.options()) {
            session.step(Action.text("click[" + option.value() + "]"));
        }
        return session.step(Action.text("click[buy now]"));
    }

    @Test
    void aPurchaseThatFitsInPartIsAFailureWithItsReward() {
        try (Environment environment = open(CONFIG);
                Session session = environment.open()) {
            for (Task task : environment.tasks("train")) {
                session.reset(task, 1);
                session.step(Action.text("search[" + task.attributes().get("instruction") + "]"));
                StepResult results = session.step(Action.text("click[next >]"));
                String last = last(results);
                session.step(Action.text(last));
                StepResult bought = session.step(Action.text("click[buy now]"));
                EpisodeEnd.Terminated end = bought.end().orElseThrow();
                assertEquals(end.outcome(), bought.reward());
                assertEquals(end.outcome() == 1, end.success());
                if (end.outcome() > 0 && end.outcome() < 1) {
                    assertEquals(EpisodeEnd.Reason.FAILURE, end.reason());
                    return;
                }
            }
        }
        throw new AssertionError("no purchase fitted in part");
    }

    private static String last(StepResult results) {
        List<String> clicks = results.observation().admissibleActions().orElseThrow();
        return clicks.get(clicks.size() - 1);
    }

    @Test
    void theStepLimitIsAFailureThatCountsInvalidActionsToo() {
        try (Environment environment = open(CONFIG.withStepLimit(3));
                Session session = environment.open()) {
            session.reset(environment.tasks("train").get(0), 1);
            assertFalse(session.step(invalidAction()).feedback().valid());
            assertTrue(session.step(Action.text("search[lamp]")).end().isEmpty());
            StepResult last = session.step(Action.text("click[back to search]"));
            assertEquals(
                    new EpisodeEnd.Terminated(EpisodeEnd.Reason.STEP_LIMIT, 0, false),
                    last.end().orElseThrow());
            assertEquals(3, environment.info().stepLimit());
        }
    }

    @Test
    void theStartPageListsSearchesIfTheyAreAskedFor() {
        try (Environment environment = open(CONFIG.withSuggestedSearches(4));
                Session session = environment.open()) {
            Task task = environment.tasks("test").get(0);
            List<String> listed =
                    session.reset(task, 1).observation().admissibleActions().orElseThrow();
            assertEquals(4, listed.size());
            assertEquals(4, new HashSet<>(listed).size());
            for (String search : listed) {
                session.reset(task, 1);
                assertTrue(session.step(Action.text(search)).feedback().valid(), search);
            }
        }
    }

    @Test
    void splitsShareNoTaskAndHoldAllGoals() {
        for (Variant variant : Variant.values()) {
            try (WebshopEnvironment environment = open(CONFIG.with(GoalKind.SYNTHETIC, variant))) {
                Set<String> ids = new HashSet<>();
                int tasks = 0;
                for (String split : environment.splits()) {
                    for (Task task : environment.tasks(split)) {
                        ids.add(task.id());
                        tasks++;
                    }
                }
                assertEquals(environment.loaded().goals().size(), tasks);
                assertEquals(tasks, ids.size());
            }
        }
    }

    @Test
    void largeSetsAreSplitAsInThePaperAndSmallOnesByFifths() {
        assertRange(0, 500, Variant.ORIGINAL.positions("test", 12_087));
        assertRange(500, 1500, Variant.ORIGINAL.positions("dev", 12_087));
        assertRange(1500, 12_087, Variant.ORIGINAL.positions("train", 12_087));
        assertRange(500, 6910, Variant.VERL_AGENT.positions("train", 6910));
        assertRange(0, 6910, Variant.AGENT_GYM.positions("all", 6910));
        assertRange(0, 2, Variant.ORIGINAL.positions("test", 13));
        assertRange(4, 13, Variant.ORIGINAL.positions("train", 13));
    }

    private static void assertRange(int from, int to, Positions positions) {
        assertEquals(to - from, positions.count());
        assertEquals(from, positions.at(0));
        assertEquals(to - 1, positions.at(positions.count() - 1));
    }

    @Test
    void whatTasksDependOnChangesTheIdentity() {
        String identity = hash(CONFIG);
        assertEquals(identity, hash(CONFIG.with(Storage.DISK, Optional.of(folder))));
        for (WebshopConfig other :
                List.of(
                        CONFIG.with(GoalKind.HUMAN, Variant.ORIGINAL),
                        CONFIG.with(GoalKind.SYNTHETIC, Variant.AGENT_GYM),
                        CONFIG.withSuggestedSearches(2),
                        WebshopConfig.generated(new GeneratorOptions(8, 100)))) {
            assertNotEquals(identity, hash(other), other::toString);
        }
    }

    private static String hash(WebshopConfig config) {
        try (Environment environment = open(config)) {
            return environment.info().contentHash();
        }
    }

    @Test
    void theSameEpisodeComesFromMemoryAndFromDisk() {
        try (WebshopEnvironment memory = open(CONFIG);
                WebshopEnvironment disk = open(CONFIG.with(Storage.DISK, Optional.empty()));
                Session one = memory.open();
                Session other = disk.open()) {
            Task task = memory.tasks("test").get(1);
            assertEquals(memory.tasks("test"), disk.tasks("test"));
            StepResult expected = buy(memory, one, task);
            StepResult actual = buy(disk, other, task);
            assertEquals(expected.observation(), actual.observation());
            assertEquals(1, actual.reward());
        }
    }

    @Test
    void whatCannotWorkIsRefusedBeforeAnythingIsRead() throws IOException {
        Path data = TestProducts.write(folder.resolve("data"));
        Files.delete(data.resolve("items_human_ins.json"));
        WebshopConfig released = WebshopConfig.released(data);
        refused("holds no items_human_ins", released.with(GoalKind.HUMAN, Variant.ORIGINAL));
        refused("there is no directory", WebshopConfig.released(folder.resolve("none")));
        refused("check the setting nouns", released.withNouns(folder.resolve("none.json")));
        IllegalArgumentException e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> CONFIG.with(GoalKind.HUMAN, Variant.VERL_AGENT));
        assertTrue(e.getMessage().startsWith("goals must be synthetic"), e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> CONFIG.withStepLimit(0));
    }

    @Test
    void aCatalogueWithoutGoalsIsRefused() throws IOException {
        Path data = TestProducts.write(folder.resolve("data"));
        Files.writeString(data.resolve("items_ins_v2.json"), "{}");
        try (Environment environment = open(WebshopConfig.released(data))) {
            WebshopException e =
                    assertThrows(WebshopException.class, () -> environment.tasks("train"));
            assertTrue(e.getMessage().contains("3 products have no synthetic goals"));
        }
    }

    private static void refused(String message, WebshopConfig config) {
        WebshopException e = assertThrows(WebshopException.class, () -> open(config));
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    private static WebshopEnvironment open(WebshopConfig config) {
        return (WebshopEnvironment) new WebshopProvider().create(config, RunContext.ofSeed(1));
    }
}
