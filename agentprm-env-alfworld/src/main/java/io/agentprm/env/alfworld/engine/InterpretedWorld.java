package io.agentprm.env.alfworld.engine;

import io.agentprm.env.alfworld.pddl.ActionSchema;
import io.agentprm.env.alfworld.pddl.Domain;
import io.agentprm.env.alfworld.pddl.Effect;
import io.agentprm.env.alfworld.pddl.Problem;
import io.agentprm.env.alfworld.twl2.ActionText;
import io.agentprm.env.alfworld.twl2.Grammar;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Any game, driven by its own domain and grammar. */
public final class InterpretedWorld implements World {
    final Problem problem;
    final Grammar grammar;
    final String[] names;
    final List<Operator> operators = new ArrayList<>();
    final List<Clause> goal;
    final Matcher goalMatcher;
    final FactStore initial;

    public InterpretedWorld(Domain domain, Problem problem, Grammar grammar) {
        this.problem = problem;
        this.grammar = grammar;
        this.names = Names.of(problem);
        TypeMembers members = new TypeMembers(domain, problem);
        Set<String> changing = new HashSet<>();
        for (ActionSchema schema : domain.actions()) {
            ActionText text = grammar.actions().get(schema.name());
            operators.add(new Operator(schema, text, problem, members));
            for (Effect effect : schema.effects()) {
                changing.add(effect.atom().predicate());
                changing.add(Operator.negation(effect.atom().predicate()));
            }
        }
        Slots slots = new Slots(problem);
        this.goal = new Normaliser(slots).normalise(problem.goal(), Map.of());
        this.goalMatcher = members.matcher(slots);
        this.initial = FactStore.of(problem, changing);
    }

    @Override
    public GameSession open(String taskSentence) {
        return new InterpretedSession(this, taskSentence);
    }
}
