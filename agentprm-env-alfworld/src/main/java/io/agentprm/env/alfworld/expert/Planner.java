package io.agentprm.env.alfworld.expert;

import io.agentprm.env.alfworld.game.TaskType;
import io.agentprm.env.alfworld.household.Furniture;
import io.agentprm.env.alfworld.household.Goal;
import io.agentprm.env.alfworld.household.Household;
import io.agentprm.env.alfworld.household.Step;
import io.agentprm.env.alfworld.household.Thing;
import io.agentprm.env.alfworld.household.Treatment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Cheapest plans with full knowledge. In these games a plan of least cost fetches, treats and
 * delivers; all that is open is which object, from where, treated where, and put where. So the
 * planner tries every such choice, from any situation: with something else in the hand it first
 * tries every place to leave it. Walking, opening, taking and moving cost 1, treating and switching
 * on 5. Of equally cheap plans it takes the first in the order of ids.
 *
 * <p>An object that is listed in two receptacles counts as lying in the second while it is carried
 * away from the first; plans use that.
 */
public final class Planner {
    private static final String PICKUPABLE = "pickupable";
    private static final String TOGGLEABLE = "toggleable";
    private static final String TOGGLED = "istoggled";

    private final Household household;
    private final Goal goal;
    private Optional<Route> best = Optional.empty();

    private Planner(Household household) {
        this.household = household;
        this.goal = household.goal();
    }

    /**
     * A cheapest plan to the household's goal.
     *
     * @return the steps, none of them if the goal holds already; empty if there is no plan
     */
    public static Optional<List<Step>> plan(Household household) {
        Planner planner = new Planner(household);
        Route start = Route.from(household);
        planner.search(start);
        Optional<Thing> held = household.held();
        if (held.isPresent()) {
            for (Furniture piece : household.furniture()) {
                if (household.canContain(piece, held.get())) {
                    planner.search(start.copy().move(held.get(), piece));
                }
            }
        }
        return planner.best.map(Route::steps);
    }

    private void search(Route start) {
        if (goal.type() == TaskType.LOOK_AT_OBJ_IN_LIGHT) {
            look(start);
        } else if (goal.type() == TaskType.PICK_TWO_OBJ_AND_PLACE) {
            deliverTwo(start);
        } else {
            deliverOne(start);
        }
    }

    private void deliverOne(Route start) {
        Optional<Treatment> treatment = goal.treatment();
        for (Thing thing : household.thingsOf(goal.object())) {
            if (treatment.isPresent() && !thing.is(treatment.get().affordance())) {
                continue;
            }
            boolean treated = treatment.isEmpty() || thing.is(treatment.get().result());
            if (treated && delivered(thing, Optional.empty())) {
                finish(start);
            }
            fetch(
                    start,
                    thing,
                    (route, from) -> {
                        if (treated) {
                            deliver(route, thing, from);
                        } else {
                            treat(route, thing, treatment.get(), from);
                        }
                    });
        }
    }

    private void treat(Route route, Thing thing, Treatment treatment, Optional<Furniture> from) {
        for (Furniture place : household.furnitureOf(treatment.receptacle())) {
            deliver(route.copy().treat(treatment, thing, place), thing, from);
        }
    }

    private void deliver(Route route, Thing thing, Optional<Furniture> from) {
        if (delivered(thing, from)) {
            finish(route);
            return;
        }
        for (Furniture target : household.furnitureOf(goal.place())) {
            if (household.canContain(target, thing)) {
                finish(route.copy().move(thing, target));
            }
        }
    }

    /** Whether the thing counts as delivered though it was taken from one of its receptacles. */
    private boolean delivered(Thing thing, Optional<Furniture> takenFrom) {
        return household.holders(thing).stream()
                .anyMatch(
                        piece ->
                                piece.type().equals(goal.place())
                                        && takenFrom.filter(piece::equals).isEmpty());
    }

    private void deliverTwo(Route start) {
        List<Thing> wanted = household.thingsOf(goal.object());
        for (Furniture target : household.furnitureOf(goal.place())) {
            List<Thing> elsewhere =
                    new ArrayList<>(
                            wanted.stream()
                                    .filter(thing -> !household.holders(thing).contains(target))
                                    .toList());
            int missing = 2 - (wanted.size() - elsewhere.size());
            deliverInto(start, target, elsewhere, missing);
        }
    }

    private void deliverInto(Route route, Furniture target, List<Thing> rest, int missing) {
        if (missing <= 0) {
            finish(route);
            return;
        }
        for (Thing thing : rest) {
            if (!household.canContain(target, thing)) {
                continue;
            }
            List<Thing> others = new ArrayList<>(rest);
            others.remove(thing);
            fetch(
                    route,
                    thing,
                    (carrying, from) ->
                            deliverInto(
                                    carrying.copy().move(thing, target),
                                    target,
                                    others,
                                    missing - 1));
        }
    }

    private void look(Route start) {
        for (Thing lamp : household.thingsOf(goal.place())) {
            if (!lamp.is(TOGGLEABLE)) {
                continue;
            }
            for (Furniture place : household.holders(lamp)) {
                for (Thing thing : household.thingsOf(goal.object())) {
                    fetch(
                            start,
                            thing,
                            (carrying, from) -> {
                                Route there = carrying.copy().goTo(place);
                                finish(lamp.is(TOGGLED) ? there : there.use(lamp));
                            });
                }
            }
        }
    }

    /** Goes on with every way to have the thing in hand. */
    private void fetch(Route route, Thing thing, Fetched next) {
        if (route.holds(thing)) {
            next.go(route, Optional.empty());
        } else if (route.empty() && thing.is(PICKUPABLE) && promising(route)) {
            for (Furniture piece : household.holders(thing)) {
                next.go(route.copy().take(thing, piece), Optional.of(piece));
            }
        }
    }

    private boolean promising(Route route) {
        return best.isEmpty() || route.cost() < best.get().cost();
    }

    private void finish(Route route) {
        if (promising(route)) {
            best = Optional.of(route.copy());
        }
    }

    /** What to do with a thing taken from a receptacle, or in hand all along. */
    private interface Fetched {
        void go(Route route, Optional<Furniture> takenFrom);
    }
}
