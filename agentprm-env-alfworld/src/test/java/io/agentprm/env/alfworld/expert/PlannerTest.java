package io.agentprm.env.alfworld.expert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.agentprm.env.alfworld.TestGames;
import io.agentprm.env.alfworld.engine.GameSession;
import io.agentprm.env.alfworld.game.Game;
import io.agentprm.env.alfworld.game.TaskType;
import io.agentprm.env.alfworld.generator.GeneratorOptions;
import io.agentprm.env.alfworld.generator.HouseholdGenerator;
import io.agentprm.env.alfworld.generator.Split;
import io.agentprm.env.alfworld.household.Atom;
import io.agentprm.env.alfworld.household.Blueprint;
import io.agentprm.env.alfworld.household.Goal;
import io.agentprm.env.alfworld.household.Household;
import io.agentprm.env.alfworld.household.Names;
import io.agentprm.env.alfworld.household.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PlannerTest {
    private static final List<Atom> KITCHEN =
            List.of(
                    Atom.of("receptacleType", "fridge_bar_1", "FridgeType"),
                    Atom.of("receptacleType", "countertop_bar_1", "CounterTopType"),
                    Atom.of("receptacleType", "countertop_bar_2", "CounterTopType"),
                    Atom.of("receptacleType", "microwave_bar_1", "MicrowaveType"),
                    Atom.of("receptacleAtLocation", "fridge_bar_1", "loc_bar_1"),
                    Atom.of("receptacleAtLocation", "countertop_bar_1", "loc_bar_2"),
                    Atom.of("receptacleAtLocation", "countertop_bar_2", "loc_bar_3"),
                    Atom.of("receptacleAtLocation", "microwave_bar_1", "loc_bar_2"),
                    Atom.of("openable", "fridge_bar_1"),
                    Atom.of("openable", "microwave_bar_1"),
                    Atom.of("objectType", "apple_bar_1", "AppleType"),
                    Atom.of("objectType", "apple_bar_2", "AppleType"),
                    Atom.of("objectType", "mug_bar_1", "MugType"),
                    Atom.of("pickupable", "apple_bar_1"),
                    Atom.of("pickupable", "apple_bar_2"),
                    Atom.of("pickupable", "mug_bar_1"),
                    Atom.of("heatable", "apple_bar_1"),
                    Atom.of("heatable", "apple_bar_2"),
                    Atom.of("canContain", "CounterTopType", "AppleType"),
                    Atom.of("canContain", "CounterTopType", "MugType"),
                    Atom.of("canContain", "FridgeType", "AppleType"),
                    Atom.of("inReceptacle", "apple_bar_1", "fridge_bar_1"),
                    Atom.of("inReceptacle", "apple_bar_2", "fridge_bar_1"));

    @Test
    void itFetchesTreatsAndDeliversInTheFewestSteps() {
        assertEquals(
                List.of(
                        "go to fridge 1",
                        "open fridge 1",
                        "take apple 2 from fridge 1",
                        "go to microwave 1",
                        "heat apple 2 with microwave 1",
                        "move apple 2 to countertop 2"),
                plan(
                        new Goal(TaskType.PICK_HEAT_THEN_PLACE_IN_RECEP, "apple", "countertop"),
                        Atom.of("atLocation", "agent1", "loc_bar_9"),
                        Atom.of("inReceptacle", "mug_bar_1", "countertop_bar_1")));
    }

    @Test
    void itFirstLeavesWhatIsInTheWay() {
        assertEquals(
                List.of(
                        "move mug 1 to countertop 1",
                        "go to fridge 1",
                        "open fridge 1",
                        "take apple 2 from fridge 1",
                        "go to countertop 2",
                        "move apple 2 to countertop 2"),
                plan(
                        new Goal(TaskType.PICK_AND_PLACE_SIMPLE, "apple", "countertop"),
                        Atom.of("atLocation", "agent1", "loc_bar_3"),
                        Atom.of("holds", "agent1", "mug_bar_1")));
    }

    @Test
    void twoThingsGoIntoTheSameReceptacle() {
        assertEquals(
                List.of(
                        "open fridge 1",
                        "take apple 2 from fridge 1",
                        "go to countertop 2",
                        "move apple 2 to countertop 2",
                        "go to fridge 1",
                        "take apple 1 from fridge 1",
                        "go to countertop 2",
                        "move apple 1 to countertop 2"),
                plan(
                        new Goal(TaskType.PICK_TWO_OBJ_AND_PLACE, "apple", "countertop"),
                        Atom.of("atLocation", "agent1", "loc_bar_1"),
                        Atom.of("inReceptacle", "mug_bar_1", "countertop_bar_1")));
    }

    @Test
    void aReachedGoalNeedsNoStep() {
        assertEquals(
                List.of(),
                plan(
                        new Goal(TaskType.PICK_AND_PLACE_SIMPLE, "mug", "countertop"),
                        Atom.of("atLocation", "agent1", "loc_bar_1"),
                        Atom.of("inReceptacle", "mug_bar_1", "countertop_bar_1")));
    }

    @Test
    void whatCannotBeDoneHasNoPlan() {
        Household household =
                household(
                        new Goal(TaskType.PICK_CLEAN_THEN_PLACE_IN_RECEP, "apple", "countertop"),
                        Atom.of("atLocation", "agent1", "loc_bar_1"));

        assertEquals(Optional.empty(), Planner.plan(household));
    }

    /** Costs are those of the domain: 5 for treating and switching on, 1 otherwise. */
    @Test
    void plansCostAsMuchAsTheWalkthroughsOfTheUnseenGames() {
        assertEquals(List.of(), unlikeTheirWalkthroughs("valid_unseen"));
    }

    @Test
    @Tag("slow")
    void plansCostAsMuchAsTheWalkthroughsOfAllReleasedGames() {
        assertEquals(List.of(), unlikeTheirWalkthroughs("valid_seen"));
        assertEquals(List.of(), unlikeTheirWalkthroughs("train"));
    }

    /** Tries everything that costs less, on the engine. */
    @Test
    void noPlanIsCheaper() {
        HouseholdGenerator generator =
                new HouseholdGenerator(GeneratorOptions.small(2).withLimits(6, 3));
        for (Game game : TestGames.generated(generator, Split.TRAIN, 12)) {
            int planned = cost(plan(game));
            if (planned <= 9) {
                assertFalse(wonForLess(game, planned), game.id());
            }
        }
    }

    private static boolean wonForLess(Game game, int cost) {
        List<List<GameSession>> open = new ArrayList<>();
        for (int i = 0; i < cost; i++) {
            open.add(new ArrayList<>());
        }
        open.get(0).add(game.open());
        Set<String> known = new HashSet<>();
        for (int spent = 0; spent < cost; spent++) {
            for (int i = 0; i < open.get(spent).size(); i++) {
                GameSession session = open.get(spent).get(i);
                if (!known.add(facts(session))) {
                    continue;
                }
                if (session.won()) {
                    return true;
                }
                for (String command : session.admissible()) {
                    int then = spent + cost(List.of(command));
                    if (then < cost && !command.matches("look|inventory|help|examine .*")) {
                        GameSession next = session.copy();
                        next.step(command);
                        open.get(then).add(next);
                    }
                }
            }
        }
        return false;
    }

    private static String facts(GameSession session) {
        TreeSet<String> facts = new TreeSet<>();
        session.forEachFact(
                (predicate, arguments) -> facts.add(predicate + Arrays.toString(arguments)));
        return facts.toString();
    }

    private static List<String> unlikeTheirWalkthroughs(String split) {
        List<String> different = new ArrayList<>();
        for (Game game : TestGames.released(split)) {
            int planned = cost(plan(game));
            int stored = cost(game.walkthrough());
            if (planned != stored) {
                different.add(game + ": " + planned + " against " + stored);
            }
        }
        return different;
    }

    private static Household household(Goal goal, Atom... more) {
        List<Atom> facts = new ArrayList<>(KITCHEN);
        facts.addAll(List.of(more));
        return Household.of(facts, goal);
    }

    private static List<String> plan(Goal goal, Atom... more) {
        List<Atom> facts = new ArrayList<>(KITCHEN);
        facts.addAll(List.of(more));
        return commands(household(goal, more), Names.of(facts));
    }

    private static List<String> plan(Game game) {
        Blueprint blueprint = Blueprint.of(game.problem());
        return commands(blueprint.household(), Names.of(blueprint.facts()));
    }

    private static List<String> commands(Household household, Names names) {
        List<Step> steps = Planner.plan(household).orElseThrow();
        return steps.stream().map(step -> step.command(names, "move %s to %s")).toList();
    }

    private static int cost(List<String> commands) {
        return commands.stream()
                .mapToInt(command -> command.matches("(clean|heat|cool|use) .*") ? 5 : 1)
                .sum();
    }
}
