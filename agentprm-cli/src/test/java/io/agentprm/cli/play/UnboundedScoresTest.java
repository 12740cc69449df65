package io.agentprm.cli.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.cli.eval.EvalCommand;
import io.agentprm.cli.run.PluginJar;
import io.agentprm.cli.run.TinyRun;
import io.agentprm.core.context.StopSignal;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run whose reward model's scores are no log-odds, looked at by the other commands. */
class UnboundedScoresTest {
    @TempDir private static Path shared;
    private static Path run;

    @TempDir private Path directory;

    @BeforeAll
    static void trainSomething() {
        run = shared.resolve("run");
        TinyRun.run(
                run,
                "--set",
                "loop.iterations=1",
                "--set",
                "loop.prm={type: inverse-prm, learning-rate: 0.1}",
                "--set",
                "loop.optimizer.steps=1",
                "--set",
                "evaluation.episodes=1");
    }

    @Test
    void playShowsThemAsNumbersAndSaysThatTheyAreNoProbabilities() {
        String printed = play();
        assertTrue(printed.contains("Scores, which are no probabilities, by "), printed);
        List<String> scores = scores(printed);
        assertEquals(3, scores.size(), printed);
        scores.forEach(score -> assertTrue(score.matches("-?[0-9]+\\.[0-9]{2}"), printed));
    }

    private static String play() {
        return TinyRun.execute(
                new PlayCommand(new StringReader("quit\n"), new StopSignal()),
                List.of("--run", run.toString()));
    }

    /** The second word of each numbered line. */
    private static List<String> scores(String printed) {
        return printed.lines()
                .map(line -> line.strip().split(" +"))
                .filter(words -> words.length == 3 && words[0].matches("[0-9]+"))
                .map(words -> words[1])
                .toList();
    }

    @Test
    void aChoiceThatGoesByProbabilitiesIsToldThatThereAreNone() throws Exception {
        Path plugins = PluginJar.in(directory, "/doubter-plugin");
        AssertionError error = assertThrows(AssertionError.class, () -> eval(plugins, "refused"));
        assertTrue(
                error.getMessage().contains("scores of scale UNBOUNDED have no probability"),
                error.getMessage());
        String printed = eval(plugins, "taken", "--set", "loop.prm=prm");
        assertTrue(printed.contains("doubter(pi-1, Q-0)"), printed);
    }

    private String eval(Path plugins, String name, String... more) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                run.toString(),
                                "--choose",
                                "doubter",
                                "--plugins",
                                plugins.toString(),
                                "--out",
                                directory.resolve(name).toString()));
        arguments.addAll(List.of(more));
        return TinyRun.execute(new EvalCommand(), arguments);
    }
}
