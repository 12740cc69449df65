package io.agentprm.env.alfworld.expert;

import io.agentprm.env.alfworld.game.TaskType;
import io.agentprm.env.alfworld.household.Goal;
import io.agentprm.env.alfworld.household.Treatment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The next purposeful action of an explorer: find, take, treat, put away. Decided afresh from what
 * is known, so it goes on from any history.
 */
final class Exploration {
    private final Goal goal;
    private final Memory memory;
    private final Set<String> admissible;
    private final Search search;
    private final int patience;

    /**
     * An exploration at one moment.
     *
     * @param admissible actions that are admissible now
     * @param patience number of receptacles looked into after which it searches no further; 0 for
     *     no limit
     */
    Exploration(Goal goal, Memory memory, Set<String> admissible, Search search, int patience) {
        this.goal = goal;
        this.memory = memory;
        this.admissible = admissible;
        this.search = search;
        this.patience = patience;
    }

    /** Empty when it is at its wits' end. */
    Optional<String> next() {
        Optional<String> held = memory.held();
        if (held.isEmpty()) {
            return obtain();
        }
        String thing = held.get();
        if (!Memory.classOf(thing).equals(goal.object())) {
            return leave(thing);
        }
        if (goal.type() == TaskType.LOOK_AT_OBJ_IN_LIGHT) {
            return light();
        }
        Optional<Treatment> treatment = goal.treatment();
        if (treatment.isPresent() && !memory.treated(thing, treatment.get())) {
            return treat(thing, treatment.get());
        }
        return putAway(thing, targets());
    }

    private Optional<String> obtain() {
        Optional<String> target = common();
        Comparator<String> order = search.placesFor(goal.object());
        Optional<Treatment> treatment = goal.treatment();
        List<Sighting> seen = new ArrayList<>();
        for (String receptacle : memory.receptacles()) {
            if (target.filter(receptacle::equals).isEmpty()) {
                for (String thing : memory.in(receptacle, goal.object())) {
                    boolean ready = treatment.isPresent() && memory.treated(thing, treatment.get());
                    seen.add(new Sighting(thing, receptacle, ready));
                }
            }
        }
        seen.sort(
                Comparator.comparing((Sighting sighting) -> !sighting.ready())
                        .thenComparing(sighting -> !here(sighting.receptacle()))
                        .thenComparing(Sighting::receptacle, order));
        for (Sighting sighting : seen) {
            String take = "take " + sighting.thing() + " from " + sighting.receptacle();
            Optional<String> action = act(take, sighting.receptacle());
            if (action.isPresent()) {
                return action;
            }
        }
        return look(goal.object());
    }

    private record Sighting(String thing, String receptacle, boolean ready) {}

    private Optional<String> light() {
        for (String receptacle : memory.receptacles()) {
            for (String lamp : memory.in(receptacle, goal.place())) {
                Optional<String> use = admissible("use " + lamp);
                if (use.isPresent()) {
                    return use;
                }
                if (!here(receptacle)) {
                    return admissible("go to " + receptacle);
                }
            }
        }
        return look(goal.place());
    }

    private Optional<String> treat(String thing, Treatment treatment) {
        List<String> tools = memory.receptacles(treatment.receptacle());
        for (String tool : tools) {
            Optional<String> action = admissible(treatment.verb() + " " + thing + " with " + tool);
            if (action.isPresent()) {
                return action;
            }
        }
        return tools.stream().flatMap(tool -> admissible("go to " + tool).stream()).findFirst();
    }

    /** For two things, the receptacle that holds one already. */
    private Optional<String> common() {
        if (goal.type() != TaskType.PICK_TWO_OBJ_AND_PLACE) {
            return Optional.empty();
        }
        return memory.receptacles(goal.place()).stream()
                .filter(target -> !memory.in(target, goal.object()).isEmpty())
                .findFirst();
    }

    /** Where the held thing may go, best first. */
    private List<String> targets() {
        List<String> targets = new ArrayList<>(memory.receptacles(goal.place()));
        Optional<String> common = common();
        targets.sort(
                Comparator.comparing((String target) -> common.filter(target::equals).isEmpty())
                        .thenComparing(target -> !here(target))
                        .thenComparing(memory::knownClosed)
                        .thenComparing(target -> !memory.lookedInto(target))
                        .thenComparing(Memory::numberOf));
        return targets;
    }

    /** Puts a thing that is of no use where it may lie. */
    private Optional<String> leave(String thing) {
        List<String> places = new ArrayList<>(memory.receptacles());
        places.sort(
                Comparator.comparing((String place) -> !here(place))
                        .thenComparing(search.placesFor(Memory.classOf(thing))));
        return putAway(thing, places);
    }

    private Optional<String> putAway(String thing, List<String> places) {
        for (String place : places) {
            Optional<String> put =
                    admissible("move " + thing + " to " + place)
                            .or(() -> admissible("put " + thing + " in/on " + place));
            Optional<String> action = put.or(() -> reach(place));
            if (action.isPresent()) {
                return action;
            }
        }
        return Optional.empty();
    }

    private Optional<String> act(String action, String receptacle) {
        return admissible(action).or(() -> reach(receptacle));
    }

    /** Goes there, or opens it once there; empty if it is reached and open. */
    private Optional<String> reach(String receptacle) {
        return admissible("go to " + receptacle).or(() -> admissible("open " + receptacle));
    }

    /** Looks into the best place not looked into yet. */
    private Optional<String> look(String wanted) {
        if (patience > 0 && memory.lookedInto() >= patience) {
            return Optional.empty();
        }
        return memory.receptacles().stream()
                .filter(receptacle -> !memory.lookedInto(receptacle) && mayHold(receptacle))
                .min(search.placesFor(wanted))
                .flatMap(
                        receptacle ->
                                reach(receptacle).or(() -> admissible("examine " + receptacle)));
    }

    /** A thing that lay where it is wanted would have won a plain task before it began. */
    private boolean mayHold(String receptacle) {
        return goal.type() != TaskType.PICK_AND_PLACE_SIMPLE
                || !Memory.classOf(receptacle).equals(goal.place());
    }

    private boolean here(String receptacle) {
        return !admissible.contains("go to " + receptacle);
    }

    private Optional<String> admissible(String action) {
        return admissible.contains(action) ? Optional.of(action) : Optional.empty();
    }
}
