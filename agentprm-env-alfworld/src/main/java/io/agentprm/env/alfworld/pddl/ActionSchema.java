package io.agentprm.env.alfworld.pddl;

import java.util.List;

/** An action with parameters. Costs are left out: the text engine has no use for them. */
public record ActionSchema(
        String name, List<Variable> parameters, Formula precondition, List<Effect> effects) {}
