package io.agentprm.env.alfworld.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.env.alfworld.TestData;
import io.agentprm.env.alfworld.game.Engine;
import io.agentprm.env.alfworld.game.Game;
import io.agentprm.env.alfworld.game.GameFolder;
import io.agentprm.env.alfworld.game.GameReader;
import io.agentprm.env.alfworld.generator.GeneratedGame;
import io.agentprm.env.alfworld.generator.GeneratorOptions;
import io.agentprm.env.alfworld.generator.HouseholdGenerator;
import io.agentprm.env.alfworld.generator.Split;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The compiled engine does what the interpreter does, only faster. */
class CompiledEngineTest {
    private static final Set<String> UNTRACKED = Set.of("checked", "alert");

    @Test
    void randomWalksThroughReleasedGamesAreTheSame() {
        List<Game> games = released(TestData.split("valid_unseen"), "valid_unseen");
        for (int i = 0; i < games.size(); i += 4) {
            assertSameWalk(games.get(i), i, 60);
        }
    }

    @Test
    void randomWalksThroughGamesOfTheOldReleaseAreTheSame() {
        List<Game> games = released(TestData.unpacked("old_release_games.tar.xz"), "valid_seen");
        for (int i = 0; i < games.size(); i += 3) {
            assertSameWalk(games.get(i), i, 60);
        }
    }

    @Test
    void randomWalksThroughGeneratedGamesAreTheSame() {
        HouseholdGenerator generator = new HouseholdGenerator(GeneratorOptions.standard(3));
        GameReader reader = new GameReader();
        for (int i = 0; i < 20; i++) {
            GeneratedGame game = generator.game(Split.TRAIN, i);
            assertSameWalk(reader.read("train/" + game.folder(), game.json()), i, 60);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"valid_seen", "valid_unseen", "valid_train", "train"})
    @Tag("slow")
    void everyWalkthroughWinsExactlyAtItsLastCommand(String split) {
        int plans = 0;
        for (Game game : released(TestData.split(split), split)) {
            assertTrue(game.isCompiled(), game::id);
            GameSession session = game.open();
            session.reset();
            List<String> plan = game.walkthrough();
            assertTrue(!plan.isEmpty() && !session.won(), game::id);
            for (int i = 0; i < plan.size(); i++) {
                session.step(plan.get(i));
                assertTrue(session.accepted(), game::id);
                assertEquals(i == plan.size() - 1, session.won(), game::id);
            }
            plans++;
        }
        assertEquals(
                switch (split) {
                    case "valid_seen" -> 140;
                    case "valid_unseen" -> 134;
                    case "valid_train" -> 200;
                    default -> 3553;
                },
                plans);
    }

    @Test
    void manyThreadsSeeTheSameBytesAsOne() throws Exception {
        List<Game> games = released(TestData.split("valid_unseen"), "valid_unseen").subList(0, 40);
        List<String> serial = new ArrayList<>();
        for (Game game : games) {
            serial.add(transcript(game));
        }
        List<Game> fresh = released(TestData.split("valid_unseen"), "valid_unseen").subList(0, 40);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<String>> results = new ArrayList<>();
            for (int repeat = 0; repeat < 4; repeat++) {
                for (Game game : fresh) {
                    results.add(threads.submit(() -> transcript(game)));
                }
            }
            for (int i = 0; i < results.size(); i++) {
                assertEquals(serial.get(i % games.size()), results.get(i).get());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aCopyGoesItsOwnWay() {
        Game game = released(TestData.split("valid_unseen"), "valid_unseen").get(0);
        for (Engine engine : Engine.values()) {
            GameSession session = game.open(engine);
            session.step(game.walkthrough().get(0));
            List<String> before = session.admissible();
            GameSession copy = session.copy();
            copy.step(game.walkthrough().get(1));
            assertEquals(before, session.admissible());
            assertEquals(game.walkthrough().size() > 2, !copy.won());
            session.step(game.walkthrough().get(1));
            assertEquals(session.admissible(), copy.admissible());
        }
    }

    @Test
    void thousandsOfResetsLeaveNothingBehind() {
        Game game = released(TestData.split("valid_unseen"), "valid_unseen").get(0);
        GameSession session = game.open();
        String first = session.reset();
        long before = usedHeap();
        for (int i = 0; i < 20_000; i++) {
            session.step(game.walkthrough().get(0));
            assertEquals(first, session.reset());
        }
        assertTrue(usedHeap() - before < 8 << 20, "heap grew by more than 8 MiB");
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static String transcript(Game game) {
        RandomGenerator random = random(game.id().hashCode());
        GameSession session = game.open();
        StringBuilder text = new StringBuilder(session.reset());
        for (int i = 0; i < 100; i++) {
            List<String> commands = session.admissible();
            text.append(session.step(commands.get(random.nextInt(commands.size()))));
            text.append(session.admissible()).append(session.won());
        }
        return text.toString();
    }

    private static void assertSameWalk(Game game, long seed, int steps) {
        assertTrue(game.isCompiled(), () -> game + " is not known to the compiled engine");
        RandomGenerator random = random(seed);
        GameSession expected = game.open(Engine.INTERPRETER);
        GameSession actual = game.open(Engine.AUTO);
        assertEquals(expected.reset(), actual.reset());
        for (int i = 0; i < steps; i++) {
            String place = game + ", step " + i;
            assertEquals(expected.admissible(), actual.admissible(), place);
            assertEquals(facts(expected), facts(actual), place);
            String command = pick(expected.admissible(), random);
            assertEquals(expected.step(command), actual.step(command), place + ": " + command);
            assertEquals(expected.won(), actual.won(), place);
            assertEquals(expected.accepted(), actual.accepted(), place);
        }
    }

    /** Mostly something other than going, so that a walk gets somewhere; sometimes nonsense. */
    private static String pick(List<String> commands, RandomGenerator random) {
        if (random.nextInt(20) == 0) {
            return " go to nowhere 1 ";
        }
        List<String> deeds =
                commands.stream().filter(command -> !command.startsWith("go to")).toList();
        List<String> choice = random.nextInt(3) == 0 ? commands : deeds;
        return choice.get(random.nextInt(choice.size()));
    }

    private static Set<String> facts(GameSession session) {
        Set<String> facts = new TreeSet<>();
        session.forEachFact(
                (predicate, arguments) -> {
                    if (!UNTRACKED.contains(predicate)) {
                        facts.add(predicate + Arrays.toString(arguments));
                    }
                });
        return facts;
    }

    private static RandomGenerator random(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    private static List<Game> released(Path data, String split) {
        return GameFolder.open(data).load(split, new GameReader(), GameFolder.Filter.NONE);
    }
}
