package io.agentprm.env.alfworld.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.agentprm.api.run.RandomSource;
import io.agentprm.env.alfworld.TestData;
import io.agentprm.env.alfworld.TestGames;
import io.agentprm.env.alfworld.engine.GameSession;
import io.agentprm.env.alfworld.game.Game;
import io.agentprm.env.alfworld.game.GameFolder;
import io.agentprm.env.alfworld.game.GameReader;
import io.agentprm.env.alfworld.household.Atom;
import io.agentprm.env.alfworld.household.Blueprint;
import io.agentprm.env.alfworld.household.Household;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GameVariationTest {
    private final HouseholdGenerator generator =
            new HouseholdGenerator(GeneratorOptions.standard(5));
    private final List<GeneratedGame> games =
            IntStream.range(0, 40).mapToObj(i -> generator.game(Split.TRAIN, i)).toList();
    private final List<Household> rooms =
            TestGames.rooms(TestGames.generated(generator, Split.TRAIN, 40));

    @Test
    void aVariationDependsOnGameAndStreamOnly() {
        GameVariation variation = new GameVariation(VariationOptions.standard(1, 1), rooms);
        String first = vary(variation, games.get(3), RandomSource.of(1));

        assertEquals(
                first,
                vary(
                        new GameVariation(VariationOptions.standard(1, 1), rooms),
                        games.get(3),
                        RandomSource.of(1)));
        assertNotEquals(first, vary(variation, games.get(3), RandomSource.of(2)));
    }

    @Test
    void permutedNumbersKeepTheGame() {
        GameVariation permuting =
                new GameVariation(new VariationOptions(1, 1, true, 0, 0, 0), rooms);
        for (GeneratedGame game : games) {
            String varied = vary(permuting, game, RandomSource.of(4));

            assertEquals(
                    new TreeSet<>(blueprint(game.json()).objects().keySet()),
                    new TreeSet<>(blueprint(varied).objects().keySet()));
            assertEquals(anonymous(blueprint(game.json())), anonymous(blueprint(varied)));
            assertEquals(cost(game.json()), cost(varied));
        }
    }

    @Test
    void relocationMovesThingsToWhereTheyMayLieAndNothingElse() {
        GameVariation relocating =
                new GameVariation(new VariationOptions(1, 1, false, 1, 1, 0), rooms);
        int moved = 0;
        for (GeneratedGame game : games) {
            Blueprint before = blueprint(game.json());
            Blueprint after = blueprint(vary(relocating, game, RandomSource.of(4)));
            Set<Atom> added = new HashSet<>(after.facts());
            added.removeAll(before.facts());
            for (Atom fact : added) {
                assertTrue(
                        Set.of("inreceptacle", "objectatlocation", "iscool")
                                .contains(fact.predicate()),
                        fact.text());
                if (fact.predicate().equals("inreceptacle")) {
                    moved++;
                    assertTrue(mayLie(fact, after), fact.text());
                }
            }
            assertEquals(before.goal(), after.goal());
            assertEquals(count(before, "inreceptacle"), count(after, "inreceptacle"));
        }
        assertTrue(moved > 10 * games.size(), "only " + moved + " things moved");
    }

    @Test
    void refurnishedRoomsHaveNewLayoutsOfWhatRoomsOfTheirKindHave() {
        GameVariation furnishing =
                new GameVariation(new VariationOptions(1, 1, true, 0, 0, 1), rooms);
        Set<Map<String, Integer>> known = new HashSet<>();
        Map<RoomKind, Set<String>> classes = new HashMap<>();
        for (Household room : rooms) {
            Map<String, Integer> layout = Layouts.count(room);
            known.add(layout);
            classes.computeIfAbsent(Layouts.kind(room), kind -> new HashSet<>())
                    .addAll(layout.keySet());
        }
        int fresh = 0;
        for (GeneratedGame game : games) {
            Blueprint before = blueprint(game.json());
            Blueprint after = blueprint(vary(furnishing, game, RandomSource.of(4)));
            Household room = after.household();
            Map<String, Integer> layout = Layouts.count(room);

            fresh += known.contains(layout) ? 0 : 1;
            assertEquals(Layouts.kind(before.household()), Layouts.kind(room));
            assertTrue(
                    classes.get(Layouts.kind(room)).containsAll(layout.keySet()),
                    layout.toString());
            assertEquals(before.goal(), after.goal());
            assertEquals(count(before, "inreceptacle"), count(after, "inreceptacle"));
            assertEquals(
                    room.things().size(),
                    count(after, "objectatlocation"),
                    "each thing lies in one place");
        }
        assertTrue(fresh > games.size() * 3 / 4, "only " + fresh + " new layouts");
    }

    @Test
    void refurnishedGamesAreWonByTheirWalkthroughs() {
        GameVariation furnishing =
                new GameVariation(new VariationOptions(1, 1, true, 0, 0, 1), rooms);
        for (GeneratedGame game : games) {
            assertWonAtTheEnd(
                    new GameReader()
                            .read(
                                    "train/" + game.folder(),
                                    vary(furnishing, game, RandomSource.of(9))));
        }
    }

    @Test
    void everyVariationIsWonByItsWalkthroughAndNotBefore() {
        GameVariation variation = new GameVariation(VariationOptions.standard(1, 1), rooms);
        for (GeneratedGame game : games) {
            assertWonAtTheEnd(
                    new GameReader()
                            .read(
                                    "train/" + game.folder(),
                                    vary(variation, game, RandomSource.of(9))));
        }
    }

    @Test
    void releasedGamesCanBeVaried() {
        GameFolder folder = GameFolder.open(TestData.split("valid_unseen"));
        assertVariationsAreWon(folder, "valid_unseen");
    }

    @Test
    void gamesOfTheOldReleaseCanBeVaried() {
        GameFolder folder = GameFolder.open(TestData.unpacked("old_release_games.tar.xz"));
        folder.splits().forEach(split -> assertVariationsAreWon(folder, split));
    }

    private void assertVariationsAreWon(GameFolder folder, String split) {
        assertVariationsAreWon(folder, split, new VariationOptions(1, 1, true, 1, 1, 0));
        assertVariationsAreWon(folder, split, new VariationOptions(1, 1, true, 1, 1, 1));
    }

    private static void assertVariationsAreWon(
            GameFolder folder, String split, VariationOptions options) {
        GameReader reader = new GameReader();
        List<Game> released = folder.load(split, reader, GameFolder.Filter.NONE);
        GameVariation variation = new GameVariation(options, TestGames.rooms(released));
        for (Game game : released) {
            try {
                String json = Files.readString(folder.folder(game.id()).resolve("game.tw-pddl"));
                String varied = variation.vary(game.id(), json, RandomSource.of(2));
                assertWonAtTheEnd(reader.read(game.id(), varied));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void assertWonAtTheEnd(Game game) {
        GameSession session = game.open();
        for (String command : game.walkthrough()) {
            assertFalse(session.won(), game.id());
            session.step(command);
            assertTrue(session.accepted(), game.id() + " refuses " + command);
        }
        assertTrue(session.won(), game.id());
    }

    private static String vary(GameVariation variation, GeneratedGame game, RandomSource random) {
        return variation.vary("train/" + game.folder(), game.json(), random);
    }

    private static boolean mayLie(Atom placed, Blueprint game) {
        String thing = type(placed.arguments().get(0), "objecttype", game);
        String receptacle = type(placed.arguments().get(1), "receptacletype", game);
        return game.facts().contains(Atom.of("cancontain", receptacle, thing));
    }

    private static String type(String id, String predicate, Blueprint game) {
        return game.facts().stream()
                .filter(fact -> fact.predicate().equals(predicate))
                .filter(fact -> fact.arguments().get(0).equals(id))
                .map(fact -> fact.arguments().get(1))
                .findFirst()
                .orElseThrow();
    }

    private static long count(Blueprint game, String predicate) {
        return game.facts().stream().filter(fact -> fact.predicate().equals(predicate)).count();
    }

    /** Facts without numbers: the classes of their arguments, sorted. */
    private static List<String> anonymous(Blueprint game) {
        List<String> facts = new ArrayList<>();
        game.facts().forEach(fact -> facts.add(fact.text().replaceAll("_bar_[^ )]*", "")));
        facts.sort(null);
        return facts;
    }

    private static int cost(String json) {
        try {
            JsonNode walkthrough = new ObjectMapper().readTree(json).get("walkthrough");
            int cost = 0;
            for (JsonNode command : walkthrough) {
                cost += command.asText().matches("(clean|heat|cool|use) .*") ? 5 : 1;
            }
            return cost;
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static Blueprint blueprint(String json) {
        String id = "train/pick_and_place_simple-any-None-any-1/trial";
        return Blueprint.of(new GameReader().read(id, json).problem());
    }
}
