package io.agentprm.env.alfworld.engine;

import io.agentprm.env.alfworld.pddl.Problem;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** A set of facts. Predicates that no action changes are shared between copies. */
final class FactStore {
    private static final FactTable NONE = new FactTable();

    private final Map<String, FactTable> tables;
    private final Set<String> changing;

    private FactStore(Map<String, FactTable> tables, Set<String> changing) {
        this.tables = tables;
        this.changing = changing;
    }

    /**
     * The initial facts of a problem.
     *
     * @param changing predicates that may be added to or removed from
     */
    static FactStore of(Problem problem, Set<String> changing) {
        FactStore store = new FactStore(new HashMap<>(), changing);
        problem.forEachFact(
                (predicate, arguments) ->
                        store.tables
                                .computeIfAbsent(predicate, name -> new FactTable())
                                .add(arguments));
        return store;
    }

    FactStore copy() {
        Map<String, FactTable> copies = new HashMap<>(tables);
        copies.replaceAll((name, table) -> changing.contains(name) ? new FactTable(table) : table);
        return new FactStore(copies, changing);
    }

    FactTable table(String predicate) {
        return tables.getOrDefault(predicate, NONE);
    }

    void add(String predicate, int[] arguments) {
        tables.computeIfAbsent(predicate, name -> new FactTable()).add(arguments);
    }

    void remove(String predicate, int[] arguments) {
        FactTable table = tables.get(predicate);
        if (table != null) {
            table.remove(arguments);
        }
    }

    void forEach(Problem.FactVisitor visitor) {
        tables.forEach(
                (predicate, table) ->
                        table.all().forEach(fact -> visitor.visit(predicate, fact.clone())));
    }
}
