package io.agentprm.env.alfworld.generator;

import io.agentprm.env.alfworld.household.Atom;
import io.agentprm.env.alfworld.household.Blueprint;
import io.agentprm.env.alfworld.household.Names;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Permutes ids within each displayed class. The game stays the same but for its numbers, since
 * these follow from the order of ids.
 */
final class Renaming {
    private static final String INSTANCE = "_bar_";

    private final Map<String, String> renamed = new HashMap<>();

    private Renaming() {}

    static Blueprint permute(Blueprint game, RandomGenerator draws) {
        Renaming renaming = new Renaming();
        Map<String, List<String>> classes = new TreeMap<>();
        for (String id : game.objects().keySet()) {
            if (id.contains(INSTANCE)) {
                classes.computeIfAbsent(Names.className(id), name -> new ArrayList<>()).add(id);
            }
        }
        classes.values().forEach(ids -> renaming.shuffle(ids, draws));
        return renaming.apply(game);
    }

    private void shuffle(List<String> ids, RandomGenerator draws) {
        List<String> left = new ArrayList<>(ids);
        for (String id : ids) {
            renamed.put(id, left.remove(draws.nextInt(left.size())));
        }
    }

    private Blueprint apply(Blueprint game) {
        Map<String, String> objects = new LinkedHashMap<>();
        game.objects().forEach((id, type) -> objects.put(name(id), type));
        List<Atom> facts = new ArrayList<>();
        for (Atom fact : game.facts()) {
            facts.add(
                    new Atom(fact.predicate(), fact.arguments().stream().map(this::name).toList()));
        }
        return new Blueprint(game.name(), game.domain(), objects, facts, game.goal());
    }

    private String name(String id) {
        return renamed.getOrDefault(id, id);
    }
}
