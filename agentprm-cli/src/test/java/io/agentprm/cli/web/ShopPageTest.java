package io.agentprm.cli.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.cli.game.Advisers;
import io.agentprm.cli.game.Playground;
import io.agentprm.cli.game.Recorder;
import io.agentprm.cli.game.TaskChoice;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.plugin.ComponentFactory;
import io.agentprm.core.plugin.Plugins;
import io.agentprm.core.plugin.RunComponents;
import io.agentprm.core.store.TrajectoryFiles;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** WebShop as it stands on the page; the expert does the shopping. */
class ShopPageTest {
    private static final RunContext CONTEXT = RunContext.ofSeed(1);
    private static final ComponentFactory FACTORY = new ComponentFactory(Plugins.discover());

    private static Environment shop;

    @TempDir private Path directory;

    @BeforeAll
    static void open() {
        shop =
                FACTORY.environment(
                        new ComponentConfig(
                                "webshop", ConfigNode.parse("{generator: {products: 60}}", "shop")),
                        CONTEXT);
    }

    @AfterAll
    static void closeTheShop() {
        shop.close();
    }

    @Test
    void everyAdmissibleActionHasOneButtonOnEveryPageAndThePurchaseShowsItsParts() {
        Path file = directory.resolve("bought.jsonl.gz");
        try (Policy expert = expert();
                Recorder recorder = Recorder.to(file);
                PlayServer server =
                        PlayServer.start(
                                playground(recorder),
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                1)) {
            TestVisitor visitor = new TestVisitor(server.address());
            visitor.look();
            for (int task = 0; task < 4; task++) {
                buy(visitor, expert);
                visitor.submit("task", Map.of("go", "next"));
            }
        }
        List<Trajectory> bought = TrajectoryFiles.trajectories().read(file);
        assertEquals(4, bought.size());
        assertTrue(
                bought.stream().anyMatch(one -> one.outcome().orElse(0) > 0), "nothing was bought");
    }

    /** Follows the expert, who sees what the recorded states would show. */
    private static void buy(TestVisitor visitor, Policy expert) {
        try (var session = shop.open()) {
            var task = TaskChoice.of(shop, Optional.empty(), taskNumber(visitor.page()));
            State state = State.initial(task.task(), session.reset(task.task(), 1));
            while (!visitor.page().contains("class=\"end")) {
                requireOneButtonEach(visitor, state);
                DecisionRequest request =
                        DecisionRequest.of(
                                state, new EpisodeId(task.task().id(), 0), 1, RandomSource.of(1));
                var decision = expert.decide(List.of(request)).get(0).get(0);
                String action = decision.action().text();
                if (action.startsWith("search[")) {
                    visitor.submit(
                            "act", Map.of("words", action.substring(7, action.length() - 1)));
                } else {
                    visitor.press(escaped(action));
                }
                var result = session.step(decision.action());
                state = state.next(decision, result.observation());
                result.end()
                        .filter(end -> end.reason() != EpisodeEnd.Reason.STEP_LIMIT)
                        .ifPresent(end -> requireParts(visitor.page(), end.outcome()));
            }
        }
    }

    private static String taskNumber(String page) {
        Matcher matcher = Pattern.compile("task (\\d+) of ").matcher(page);
        assertTrue(matcher.find(), page);
        return matcher.group(1);
    }

    private static void requireOneButtonEach(TestVisitor visitor, State state) {
        List<String> wanted =
                state.observation().admissibleActions().orElse(List.of()).stream()
                        .map(ShopPageTest::escaped)
                        .toList();
        assertEquals(new TreeSet<>(wanted), new TreeSet<>(visitor.actions()), visitor.page());
        assertEquals(wanted.size(), visitor.actions().size(), visitor.page());
        assertFalse(visitor.page().contains("[SEP]"), visitor.page());
    }

    private static String escaped(String action) {
        return action.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** The parts that the page shows make the reward that the environment gives. */
    private static void requireParts(String page, double reward) {
        Matcher total =
                Pattern.compile(
                                "Reward: ([0-9.]+) for the kind of product × (\\d+) of (\\d+) ="
                                        + " ([0-9.]+)<")
                        .matcher(page);
        assertTrue(total.find(), page);
        double shown =
                Double.parseDouble(total.group(1))
                        * Integer.parseInt(total.group(2))
                        / Integer.parseInt(total.group(3));
        assertEquals(reward, shown, 1e-9, page);
        assertEquals(reward, Double.parseDouble(total.group(4)), 5e-4, page);
    }

    private static Policy expert() {
        return FACTORY.policy(
                ComponentConfig.of("webshop-shopper"),
                RunComponents.builder().environment(shop).build(),
                CONTEXT);
    }

    private static Playground playground(Recorder recorder) {
        TaskChoice first = TaskChoice.of(shop, Optional.empty(), "0");
        return new Playground(shop, Advisers.none(), recorder, first, 1, "person");
    }
}
