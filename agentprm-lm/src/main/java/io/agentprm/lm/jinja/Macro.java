package io.agentprm.lm.jinja;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A macro: a function that gives the text of its body. */
record Macro(String name, List<Parameter> parameters, Node body, Scope outer) implements Function {
    /** A parameter, with its default where it has one. */
    record Parameter(String name, Optional<Expression> other) {}

    @Override
    public Object call(List<Object> arguments, Map<String, Object> named) {
        if (arguments.size() > parameters.size()) {
            throw JinjaException.of(
                    "the macro '" + name + "' takes at most " + parameters.size() + " arguments");
        }
        Scope scope = outer.child();
        for (int i = 0; i < parameters.size(); i++) {
            Parameter parameter = parameters.get(i);
            Optional<Object> given = Arguments.either(arguments, i, named, parameter.name());
            scope.set(
                    parameter.name(),
                    given.orElseGet(
                            () ->
                                    parameter
                                            .other()
                                            .map(other -> other.value(scope))
                                            .orElseGet(() -> new Undefined(parameter.name()))));
        }
        return body.text(scope);
    }
}
