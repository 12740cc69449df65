package io.agentprm.env.alfworld.expert;

import io.agentprm.env.alfworld.household.Atom;
import io.agentprm.env.alfworld.household.Blueprint;
import io.agentprm.env.alfworld.household.Household;
import io.agentprm.env.alfworld.household.Names;
import io.agentprm.env.alfworld.household.Treatment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Keeps the full state of a game up to date by what the observations tell. */
final class Tracker {
    private final Household start;
    private final Names names;
    private final Map<String, String> ids = new HashMap<>();
    private final Set<Atom> facts = new LinkedHashSet<>();
    private final Map<String, String> locations = new HashMap<>();
    private String agent = "";

    Tracker(Blueprint problem) {
        this.start = problem.household();
        this.names = Names.of(problem.facts());
        for (Atom fact : problem.facts()) {
            List<String> arguments = new ArrayList<>();
            for (String argument : fact.arguments()) {
                arguments.add(argument.toLowerCase(Locale.ROOT));
            }
            Atom atom = new Atom(fact.predicate().toLowerCase(Locale.ROOT), arguments);
            facts.add(atom);
            arguments.forEach(id -> ids.put(names.name(id), id));
            if (atom.predicate().equals("atlocation")) {
                agent = arguments.get(0);
            } else if (atom.predicate().equals("receptacleatlocation")) {
                locations.put(arguments.get(0), arguments.get(1));
            }
        }
    }

    Names names() {
        return names;
    }

    void read(String observation) {
        Event.in(observation).forEach(this::apply);
    }

    /** The room as it is now. */
    Household now() {
        return Household.of(facts, start.goal());
    }

    private void apply(Event event) {
        if (event instanceof Event.Arrived arrived) {
            facts.removeIf(fact -> fact.predicate().equals("atlocation"));
            facts.add(Atom.of("atlocation", agent, locations.get(id(arrived.receptacle()))));
        } else if (event instanceof Event.Opened opened) {
            facts.add(Atom.of("opened", id(opened.receptacle())));
        } else if (event instanceof Event.Closed closed) {
            facts.remove(Atom.of("opened", id(closed.receptacle())));
        } else if (event instanceof Event.Taken taken) {
            facts.remove(Atom.of("inreceptacle", id(taken.thing()), id(taken.receptacle())));
            facts.add(Atom.of("holds", agent, id(taken.thing())));
        } else if (event instanceof Event.Put put) {
            facts.remove(Atom.of("holds", agent, id(put.thing())));
            facts.add(Atom.of("inreceptacle", id(put.thing()), id(put.receptacle())));
        } else if (event instanceof Event.Treated treated) {
            for (Treatment undone : treated.treatment().undoes()) {
                facts.remove(Atom.of(undone.result(), id(treated.thing())));
            }
            facts.add(Atom.of(treated.treatment().result(), id(treated.thing())));
        } else if (event instanceof Event.SwitchedOn lamp) {
            facts.add(Atom.of("istoggled", id(lamp.thing())));
        }
    }

    private String id(String name) {
        String id = ids.get(name);
        if (id == null) {
            throw new IllegalArgumentException(
                    "the observations speak of " + name + ", which the game does not have");
        }
        return id;
    }
}
