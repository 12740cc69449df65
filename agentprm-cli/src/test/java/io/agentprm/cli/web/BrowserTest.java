package io.agentprm.cli.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.agentprm.api.env.Environment;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
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
import io.agentprm.testkit.ScriptedRewardModel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, where one is installed. */
@Tag("slow")
@Timeout(600)
class BrowserTest {
    private static final InetSocketAddress ANY_PORT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final RunContext CONTEXT = RunContext.ofSeed(1);
    private static final ComponentFactory FACTORY = new ComponentFactory(Plugins.discover());

    @TempDir private Path directory;

    @BeforeAll
    static void needsABrowser() {
        assumeTrue(Chromium.installed().isPresent(), "no Chromium is installed");
    }

    @Test
    void aPersonBuysByClickingWhatIsProposed() throws Exception {
        Path file = directory.resolve("bought.jsonl.gz");
        try (Environment shop = shop();
                Advisers advisers = advised(shop);
                Recorder recorder = Recorder.to(file);
                PlayServer server =
                        PlayServer.start(playground(shop, advisers, recorder), ANY_PORT, 2);
                Chromium browser =
                        Chromium.start(
                                Chromium.installed().orElseThrow(), directory.resolve("profile"))) {
            browser.open(server.address());
            for (int i = 0;
                    i < 15 && browser.evaluate("!!document.querySelector('.end')").equals("false");
                    i++) {
                if (browser.evaluate("!!document.querySelector('fieldset')").equals("true")) {
                    keep(browser.picture());
                }
                browser.follow(
                        "document.querySelector('.proposed').parentNode.querySelector('button').click()");
            }
            String text = browser.evaluate("document.body.innerText");
            assertTrue(text.contains("for the kind of product"), text);
            assertTrue(text.contains("recorded: 1 episode in"), text);
            browser.follow("document.querySelector('button[value=next]').click()");
            assertEquals(
                    "Actions: 0 of at most 15",
                    browser.evaluate("document.querySelector('.history h3').innerText"));
        }
        List<Trajectory> bought = TrajectoryFiles.trajectories().read(file);
        assertEquals(1, bought.size());
        assertTrue(bought.get(0).length() >= 3, "searched, opened and bought");
    }

    /** For docs/images; the last page with options is the fullest. */
    private static void keep(byte[] picture) throws IOException {
        Files.write(Files.createDirectories(Path.of("target")).resolve("play-page.png"), picture);
    }

    @Test
    void wordsAreSearchedForAndTheStyleIsAllowed() throws Exception {
        try (Environment shop = shop();
                Advisers advisers = advised(shop);
                PlayServer server =
                        PlayServer.start(playground(shop, advisers, Recorder.none()), ANY_PORT, 2);
                Chromium browser =
                        Chromium.start(
                                Chromium.installed().orElseThrow(), directory.resolve("profile"))) {
            browser.open(server.address());
            browser.follow(
                    "document.querySelector('input[name=words]').value = '<b>\"wool\" & more';"
                            + "document.querySelector('form.act button').click()");
            assertEquals(
                    "search[<b>\"wool\" & more]",
                    browser.evaluate("document.querySelector('.history li').innerText"));
            // The colour of the instruction's box, which only the style of the page gives it.
            assertEquals(
                    "rgb(238, 244, 255)",
                    browser.evaluate(
                            "getComputedStyle(document.querySelector('h1')).backgroundColor"));
        }
    }

    @Test
    void markupInTextsIsShownAndNotRun() throws Exception {
        OddEnvironment odd = new OddEnvironment();
        try (PlayServer server =
                        PlayServer.start(
                                playground(odd, Advisers.none(), Recorder.none()), ANY_PORT, 2);
                Chromium browser =
                        Chromium.start(
                                Chromium.installed().orElseThrow(), directory.resolve("profile"))) {
            browser.open(server.address());
            assertEquals("0", browser.evaluate("document.querySelectorAll('script').length"));
            browser.follow("document.querySelector('button[name=choice]').click()");
            // Line breaks too, which a browser changes in texts of forms.
            assertEquals(List.of(OddEnvironment.ODD), odd.done);
        }
    }

    private static Environment shop() {
        return FACTORY.environment(
                new ComponentConfig(
                        "webshop", ConfigNode.parse("{generator: {products: 60}}", "shop")),
                CONTEXT);
    }

    private static Advisers advised(Environment shop) {
        return new Advisers(
                Optional.of(
                        ScriptedRewardModel.of(
                                (state, decision) -> -decision.action().text().length() / 10.0)),
                Optional.of(
                        FACTORY.policy(
                                ComponentConfig.of("webshop-shopper"),
                                RunComponents.builder().environment(shop).build(),
                                CONTEXT)),
                RandomSource.of(1));
    }

    private static Playground playground(
            Environment environment, Advisers advisers, Recorder recorder) {
        TaskChoice first = TaskChoice.of(environment, Optional.empty(), "0");
        return new Playground(environment, advisers, recorder, first, 1, "person");
    }
}
