package io.agentprm.env.alfworld.engine;

import io.agentprm.env.alfworld.pddl.Domain;
import io.agentprm.env.alfworld.pddl.Problem;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/** Entities by type. A type that nobody declared has none. */
final class TypeMembers {
    private final Domain domain;
    private final Problem problem;
    private final Map<String, int[]> members = new HashMap<>();

    TypeMembers(Domain domain, Problem problem) {
        this.domain = domain;
        this.problem = problem;
    }

    Matcher matcher(Slots slots) {
        int[][] bySlot = slots.types().stream().map(this::of).toArray(int[][]::new);
        return new Matcher(bySlot, problem.size());
    }

    private int[] of(String type) {
        return members.computeIfAbsent(
                type,
                wanted ->
                        IntStream.range(0, problem.size())
                                .filter(entity -> domain.isA(problem.type(entity), wanted))
                                .toArray());
    }
}
