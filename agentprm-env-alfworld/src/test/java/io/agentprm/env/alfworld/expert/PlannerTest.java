package io.agentprm.env.alfworld.expert;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.env.alfworld.household.Atom;
import io.agentprm.env.alfworld.household.Blueprint;
import io.agentprm.env.alfworld.household.Goal;
import io.agentprm.env.alfworld.household.Household;
import io.agentprm.env.alfworld.household.Names;
import io.agentprm.env.alfworld.household.Step;
import io.agentprm.env.alfworld.household.TaskType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    @Tag("slow")
    void plansCostAsMuchAsTheWalkthroughsOfAllReleasedGames() {
        List<String> different = new ArrayList<>();
        for (String split : List.of("train", "valid_seen", "valid_unseen")) {
            RealGames.forEach(
                    split,
                    (path, game) -> {
                        int planned = cost(plan(blueprint(game)));
                        int stored = cost(strings(game.get("walkthrough")));
                        if (planned != stored) {
                            different.add(path + ": " + planned + " against " + stored);
                        }
                    });
        }

        assertEquals(List.of(), different);
    }

    @Test
    void plansCostAsMuchAsTheWalkthroughsOfTheUnseenGames() {
        for (Map.Entry<String, JsonNode> game : RealGames.of("valid_unseen").entrySet()) {
            assertEquals(
                    cost(strings(game.getValue().get("walkthrough"))),
                    cost(plan(blueprint(game.getValue()))),
                    game.getKey());
        }
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

    private static List<String> plan(Blueprint blueprint) {
        return commands(blueprint.household(), Names.of(blueprint.facts()));
    }

    private static List<String> commands(Household household, Names names) {
        List<Step> steps = Planner.plan(household).orElseThrow();
        return steps.stream().map(step -> step.command(names, "move %s to %s")).toList();
    }

    private static Blueprint blueprint(JsonNode game) {
        return Blueprint.parse(game.get("pddl_problem").asText());
    }

    private static List<String> strings(JsonNode list) {
        List<String> strings = new ArrayList<>();
        list.forEach(entry -> strings.add(entry.asText()));
        return strings;
    }

    private static int cost(List<String> commands) {
        return commands.stream()
                .mapToInt(command -> command.matches("(clean|heat|cool|use) .*") ? 5 : 1)
                .sum();
    }
}
