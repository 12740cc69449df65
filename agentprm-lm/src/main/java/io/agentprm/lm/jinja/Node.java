package io.agentprm.lm.jinja;

import java.util.List;

/** A piece of a template that writes text. */
@FunctionalInterface
interface Node {
    /** How the template goes on after a piece. */
    enum Flow {
        ON,
        /** The loop ends. */
        BREAK,
        /** The loop goes on with the next element. */
        CONTINUE
    }

    Flow render(Scope scope, StringBuilder out);

    static Node text(String text) {
        return (scope, out) -> {
            out.append(text);
            return Flow.ON;
        };
    }

    static Node sequence(List<Node> nodes) {
        List<Node> all = List.copyOf(nodes);
        return (scope, out) -> {
            for (Node node : all) {
                Flow flow = node.render(scope, out);
                if (flow != Flow.ON) {
                    return flow;
                }
            }
            return Flow.ON;
        };
    }

    /** The text that a piece writes. */
    default String text(Scope scope) {
        StringBuilder out = new StringBuilder();
        render(scope, out);
        return out.toString();
    }
}
