package io.agentprm.env.alfworld.expert;

import io.agentprm.env.alfworld.household.Furniture;
import io.agentprm.env.alfworld.household.Household;
import io.agentprm.env.alfworld.household.Step;
import io.agentprm.env.alfworld.household.Thing;
import io.agentprm.env.alfworld.household.Treatment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Steps that can be taken one after the other from a household's situation, with their cost. */
final class Route {
    private final Household household;
    private final List<Step> steps;
    private final Set<String> opened;
    private String location;
    private Optional<Thing> held;
    private int cost;

    private Route(
            Household household,
            List<Step> steps,
            Set<String> opened,
            String location,
            Optional<Thing> held,
            int cost) {
        this.household = household;
        this.steps = steps;
        this.opened = opened;
        this.location = location;
        this.held = held;
        this.cost = cost;
    }

    static Route from(Household household) {
        return new Route(
                household,
                new ArrayList<>(),
                new HashSet<>(),
                household.agentLocation(),
                household.held(),
                0);
    }

    Route copy() {
        return new Route(
                household, new ArrayList<>(steps), new HashSet<>(opened), location, held, cost);
    }

    int cost() {
        return cost;
    }

    List<Step> steps() {
        return List.copyOf(steps);
    }

    boolean empty() {
        return held.isEmpty();
    }

    boolean holds(Thing thing) {
        return held.filter(thing::equals).isPresent();
    }

    Route goTo(Furniture piece) {
        if (!piece.location().equals(location)) {
            add(Step.Verb.GO, "", piece.id());
            location = piece.location();
        }
        return this;
    }

    Route take(Thing thing, Furniture piece) {
        goTo(piece);
        reach(piece);
        add(Step.Verb.TAKE, thing.id(), piece.id());
        held = Optional.of(thing);
        return this;
    }

    Route move(Thing thing, Furniture piece) {
        goTo(piece);
        reach(piece);
        add(Step.Verb.MOVE, thing.id(), piece.id());
        held = Optional.empty();
        return this;
    }

    Route treat(Treatment treatment, Thing thing, Furniture piece) {
        goTo(piece);
        Step.Verb verb =
                switch (treatment) {
                    case CLEAN -> Step.Verb.CLEAN;
                    case HEAT -> Step.Verb.HEAT;
                    case COOL -> Step.Verb.COOL;
                };
        add(verb, thing.id(), piece.id());
        return this;
    }

    Route use(Thing lamp) {
        add(Step.Verb.USE, lamp.id(), "");
        return this;
    }

    private void reach(Furniture piece) {
        if (piece.openable() && !household.isOpened(piece) && opened.add(piece.id())) {
            add(Step.Verb.OPEN, "", piece.id());
        }
    }

    private void add(Step.Verb verb, String thing, String receptacle) {
        steps.add(new Step(verb, thing, receptacle));
        cost += verb.cost();
    }
}
