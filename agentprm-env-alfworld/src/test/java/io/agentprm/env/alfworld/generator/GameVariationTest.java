package io.agentprm.env.alfworld.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.agentprm.api.run.RandomSource;
import io.agentprm.env.alfworld.expert.PlacementPrior;
import io.agentprm.env.alfworld.household.Atom;
import io.agentprm.env.alfworld.household.Blueprint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GameVariationTest {
    private final HouseholdGenerator generator =
            new HouseholdGenerator(GeneratorOptions.standard(5));
    private final List<String> games =
            IntStream.range(0, 40).mapToObj(i -> generator.game(Split.TRAIN, i).json()).toList();
    private final PlacementPrior prior =
            PlacementPrior.of(games.stream().map(json -> blueprint(json).household()).toList());

    @Test
    void aVariationDependsOnGameAndStreamOnly() {
        GameVariation variation = new GameVariation(VariationOptions.standard(), prior);
        String first = variation.vary(games.get(3), RandomSource.of(1));

        assertEquals(
                first,
                new GameVariation(VariationOptions.standard(), prior)
                        .vary(games.get(3), RandomSource.of(1)));
        assertNotEquals(first, variation.vary(games.get(3), RandomSource.of(2)));
    }

    @Test
    void permutedNumbersKeepTheGame() {
        GameVariation permuting = new GameVariation(new VariationOptions(true, 0, 0), prior);
        for (String game : games) {
            String varied = permuting.vary(game, RandomSource.of(4));

            assertEquals(
                    new TreeSet<>(blueprint(game).objects().keySet()),
                    new TreeSet<>(blueprint(varied).objects().keySet()));
            assertEquals(anonymous(blueprint(game)), anonymous(blueprint(varied)));
            assertEquals(cost(game), cost(varied));
        }
    }

    @Test
    void relocationMovesThingsToWhereTheyMayLieAndNothingElse() {
        GameVariation relocating = new GameVariation(new VariationOptions(false, 1, 1), prior);
        int moved = 0;
        for (String game : games) {
            Blueprint before = blueprint(game);
            Blueprint after = blueprint(relocating.vary(game, RandomSource.of(4)));
            Set<Atom> added = new HashSet<>(after.facts());
            added.removeAll(before.facts());
            for (Atom fact : added) {
                assertTrue(
                        Set.of("inReceptacle", "objectAtLocation", "isCool")
                                .contains(fact.predicate()),
                        fact.text());
                if (fact.predicate().equals("inReceptacle")) {
                    moved++;
                    assertTrue(mayLie(fact, after), fact.text());
                }
            }
            assertEquals(before.goal(), after.goal());
            assertEquals(count(before, "inReceptacle"), count(after, "inReceptacle"));
        }
        assertTrue(moved > 10 * games.size(), "only " + moved + " things moved");
    }

    @Test
    void everyVariationCanBeWonAndIsNotWonYet() throws Exception {
        GameVariation variation = new GameVariation(VariationOptions.standard(), prior);
        for (String game : games) {
            String varied = variation.vary(game, RandomSource.of(9));

            assertTrue(new ObjectMapper().readTree(varied).get("walkthrough").size() > 0);
        }
    }

    private static boolean mayLie(Atom placed, Blueprint game) {
        String thing = type(placed.arguments().get(0), "objectType", game);
        String receptacle = type(placed.arguments().get(1), "receptacleType", game);
        return game.facts().contains(Atom.of("canContain", receptacle, thing));
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
        try {
            return Blueprint.parse(new ObjectMapper().readTree(json).get("pddl_problem").asText());
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
