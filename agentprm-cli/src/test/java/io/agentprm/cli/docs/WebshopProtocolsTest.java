package io.agentprm.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.Task;
import io.agentprm.api.run.RunContext;
import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.config.ConfigOverrides;
import io.agentprm.core.pipeline.RunConfig;
import io.agentprm.core.plugin.ComponentFactory;
import io.agentprm.core.plugin.Plugins;
import io.agentprm.lm.agent.TransformerConfig;
import io.agentprm.lm.text.PromptTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The configurations that follow other projects' evaluations show pages as those projects do. */
class WebshopProtocolsTest {
    private static final Path FOLDER =
            DocumentationTest.ROOT.resolve("agentprm-examples/webshop/protocols");

    private static final Plugins PLUGINS = Plugins.discover();

    static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void everySettingExistsAndTheSplitHasGoals(Path file) throws Exception {
        new YamlSettings(PLUGINS).check(Files.readString(file));
        RunConfig config = onGeneratedProducts(file);
        assertEquals(
                "webshop-" + file.getFileName().toString().replace(".yaml", ""), config.name());
        try (Environment shop = open(config)) {
            assertTrue(shop.splits().contains(config.evaluation().split()));
            assertTrue(!shop.tasks(config.evaluation().split()).isEmpty());
        }
    }

    @Test
    void verlAgentQuotesEachPartAfterTheInstruction() {
        try (Walk walk = new Walk("verl-agent")) {
            assertEquals(
                    "The customer says: "
                            + walk.start.instruction()
                            + "\n'Search'\nActions: search[<your query>], click[search]",
                    walk.head());
            for (Observation page : walk.pages()) {
                List<String> parts = Arrays.asList(page.text().split(" \\[SEP] ", -1));
                int instruction = parts.indexOf(walk.start.instruction());
                String quoted =
                        parts.subList(instruction + 1, parts.size()).stream()
                                .map(part -> "'" + part + "'")
                                .collect(Collectors.joining(" [SEP] "));
                String actions = String.join(", ", page.admissibleActions().orElseThrow());
                assertTrue(quoted.startsWith("'Back to Search' [SEP] '"), quoted);
                assertEquals(quoted + "\nActions: " + actions, walk.turn(page));
            }
        }
    }

    @Test
    void reactShowsThreeProductsWithButtonsInBrackets() {
        try (Walk walk = new Walk("react")) {
            Observation results = walk.search();
            List<String> products =
                    results.admissibleActions().orElseThrow().stream()
                            .filter(action -> action.startsWith("click[b0"))
                            .toList();
            assertEquals(10, products.size());
            String told = walk.turn(results);
            for (int i = 0; i < products.size(); i++) {
                String link = products.get(i).replace("click", "").toUpperCase(Locale.ROOT);
                assertEquals(i < 3, told.contains("\n\n" + link + "\n"), told);
            }
            assertTrue(told.contains("[Back to Search]\nPage 1 (Total results: "), told);
            assertTrue(!told.contains("Next >") && !told.contains("button"), told);
        }
    }

    @Test
    void reactAnswersAnOptionByOneLine() {
        try (Walk walk = new Walk("react")) {
            String option = walk.openProductWithOptions();
            Observation clicked = walk.act("click[" + option + "]");
            assertEquals("You have clicked " + option + ".", walk.turn(clicked));
        }
    }

    @Test
    void etoHeadsEveryPage() {
        try (Walk walk = new Walk("eto")) {
            assertEquals("Observation:\n" + walk.start.observation().text(), walk.head());
            Observation results = walk.search();
            assertEquals("Observation:\n" + results.text(), walk.turn(results));
        }
    }

    private static RunConfig onGeneratedProducts(Path file) {
        ConfigNode node =
                ConfigOverrides.apply(
                        ConfigNode.read(file),
                        List.of(
                                "environment.catalog=generated",
                                "environment.generator.products=200"),
                        RunConfig.class);
        return ConfigBinder.strict().bind(node, RunConfig.class);
    }

    private static Environment open(RunConfig config) {
        return new ComponentFactory(PLUGINS)
                .environment(config.environment(), RunContext.ofSeed(1));
    }

    /** A visit to the shop of a protocol, and how its pages are told. */
    private static final class Walk implements AutoCloseable {
        private final Environment shop;
        private final Session session;
        private final PromptTemplate template;
        private final List<Task> tasks;
        private EpisodeStart start;

        Walk(String protocol) {
            RunConfig config = onGeneratedProducts(FOLDER.resolve(protocol + ".yaml"));
            shop = open(config);
            session = shop.open();
            template =
                    config.models().bind(TransformerConfig.class).prompt().withMark("").compile();
            tasks = shop.tasks(config.evaluation().split());
            start = session.reset(tasks.get(0), 1);
        }

        String head() {
            return template.head(start.instruction(), start.observation(), true);
        }

        String turn(Observation page) {
            return template.turn(page);
        }

        Observation act(String action) {
            return session.step(Action.text(action)).observation();
        }

        Observation search() {
            return act("search[" + start.instruction().replaceAll("[\\[\\]]", "") + "]");
        }

        /** Results, two pages of them, a product and what is told of it. */
        List<Observation> pages() {
            Observation results = search();
            String product = firstProduct(results);
            return List.of(
                    results,
                    act("click[next >]"),
                    act("click[< prev]"),
                    act(product),
                    act("click[features]"),
                    act("click[< prev]"),
                    act("click[description]"));
        }

        /** The first option on the page of the first product that has some. */
        String openProductWithOptions() {
            for (Task task : tasks) {
                start = session.reset(task, 1);
                List<String> clicks = act(firstProduct(search())).admissibleActions().orElseThrow();
                int options = clicks.indexOf("click[buy now]") + 1;
                if (options < clicks.size()) {
                    return clicks.get(options).replaceAll("^click\\[|]$", "");
                }
            }
            throw new AssertionError("no product with options");
        }

        private static String firstProduct(Observation results) {
            return results.admissibleActions().orElseThrow().stream()
                    .filter(action -> action.startsWith("click[b0"))
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        public void close() {
            session.close();
            shop.close();
        }
    }
}
