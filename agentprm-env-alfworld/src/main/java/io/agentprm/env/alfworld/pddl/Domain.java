package io.agentprm.env.alfworld.pddl;

import java.util.List;
import java.util.Map;

/**
 * What all games of a generation share.
 *
 * @param types each type that specialises another, with that one; released games have none
 * @param constants objects that exist in every problem
 * @param predicates each predicate with the number of its arguments
 * @param actions in the order of the text
 */
public record Domain(
        Map<String, String> types,
        List<Variable> constants,
        Map<String, Integer> predicates,
        List<ActionSchema> actions) {
    /** True if an entity of that type may stand where the other type is asked for. */
    public boolean isA(String type, String wanted) {
        String current = type;
        for (int i = 0; current != null && i <= types.size(); i++) {
            if (current.equals(wanted)) {
                return true;
            }
            current = types.get(current);
        }
        return false;
    }
}
