package io.agentprm.env.alfworld.engine;

import io.agentprm.env.alfworld.pddl.ActionSchema;
import io.agentprm.env.alfworld.pddl.Effect;
import io.agentprm.env.alfworld.pddl.Problem;
import io.agentprm.env.alfworld.twl2.ActionText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** An action of the domain made ready for one problem. */
final class Operator {
    /**
     * An effect; its condition's clauses are looked at in the state before the action.
     *
     * @param conditions one of them must hold
     */
    private record SlotEffect(List<Clause> conditions, Clause.SlotAtom atom, boolean added) {}

    private final ActionSchema schema;
    private final ActionText text;
    private final List<Clause> preconditions;
    private final List<SlotEffect> effects = new ArrayList<>();
    private final Matcher matcher;
    private final int parameters;

    Operator(ActionSchema schema, ActionText text, Problem problem, TypeMembers members) {
        this.schema = schema;
        this.text = text;
        this.parameters = schema.parameters().size();
        Slots slots = new Slots(problem);
        Normaliser normaliser = new Normaliser(slots);
        Map<String, Integer> scope = slots.scope(Map.of(), schema.parameters());
        Set<Integer> own = new TreeSet<>(scope.values());
        Clause filled = new Clause(own, List.of(), List.of(), List.of(), List.of());
        this.preconditions =
                normaliser.normalise(schema.precondition(), scope).stream()
                        .map(filled::and)
                        .toList();
        for (Effect effect : schema.effects()) {
            effects.add(
                    new SlotEffect(
                            normaliser.normalise(effect.condition(), scope),
                            normaliser.slotAtom(effect.atom(), scope),
                            effect.added()));
        }
        this.matcher = members.matcher(slots);
    }

    ActionSchema schema() {
        return schema;
    }

    ActionText text() {
        return text;
    }

    /**
     * Parameters for which the action can be taken, in the order of their entities. Those for which
     * it would provably change nothing are left out, as the reference planner drops them.
     */
    List<int[]> applicable(FactStore state) {
        Set<List<Integer>> seen = new LinkedHashSet<>();
        List<int[]> found = new ArrayList<>();
        for (Clause clause : preconditions) {
            matcher.search(
                    clause,
                    state,
                    matcher.empty(),
                    binding -> {
                        if (!isIdle(clause, binding)) {
                            int[] values = Arrays.copyOf(binding, parameters);
                            if (seen.add(Arrays.stream(values).boxed().toList())) {
                                found.add(values);
                            }
                        }
                        return false;
                    });
        }
        found.sort(Arrays::compare);
        return found;
    }

    /** Changes the state by the usual rules: conditions first, then deletions, then additions. */
    void applyTo(FactStore state, int[] values) {
        int[] binding = bindingOf(values);
        List<SlotEffect> active = new ArrayList<>();
        for (SlotEffect effect : effects) {
            if (matcher.anyHolds(effect.conditions(), state, binding)) {
                active.add(effect);
            }
        }
        for (SlotEffect effect : active) {
            if (!effect.added()) {
                state.remove(effect.atom().predicate(), effect.atom().ground(binding));
            }
        }
        for (SlotEffect effect : active) {
            if (effect.added()) {
                state.add(effect.atom().predicate(), effect.atom().ground(binding));
            }
        }
    }

    /**
     * Changes the facts that text is made from: effects in order, whatever their conditions; a
     * deleted atom leaves its negation behind.
     */
    void applyToText(FactStore facts, int[] values) {
        int[] binding = bindingOf(values);
        for (SlotEffect effect : effects) {
            String predicate = effect.atom().predicate();
            int[] arguments = effect.atom().ground(binding);
            String gone = effect.added() ? negation(predicate) : predicate;
            String come = effect.added() ? predicate : negation(predicate);
            facts.remove(gone, arguments);
            facts.add(come, arguments);
        }
    }

    static String negation(String predicate) {
        return "not_" + predicate;
    }

    private int[] bindingOf(int[] values) {
        int[] binding = matcher.empty();
        System.arraycopy(values, 0, binding, 0, values.length);
        return binding;
    }

    /** True if the preconditions already say all that the effects would bring about. */
    private boolean isIdle(Clause clause, int[] binding) {
        Set<Ground> added = new HashSet<>();
        for (SlotEffect effect : effects) {
            if (effect.added() && isUnconditional(effect)) {
                added.add(key(effect.atom(), binding));
            }
        }
        for (SlotEffect effect : effects) {
            Ground key = key(effect.atom(), binding);
            List<Clause.SlotAtom> known = effect.added() ? clause.required() : clause.forbidden();
            boolean overruled = !effect.added() && added.contains(key);
            if (!overruled && known.stream().noneMatch(atom -> key(atom, binding).equals(key))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isUnconditional(SlotEffect effect) {
        return effect.conditions().stream()
                .anyMatch(
                        clause ->
                                clause.required().isEmpty()
                                        && clause.forbidden().isEmpty()
                                        && clause.equalities().isEmpty()
                                        && clause.none().isEmpty());
    }

    /** A ground atom as a value. */
    private record Ground(String predicate, List<Integer> arguments) {}

    private static Ground key(Clause.SlotAtom atom, int[] binding) {
        return new Ground(atom.predicate(), Arrays.stream(atom.ground(binding)).boxed().toList());
    }
}
