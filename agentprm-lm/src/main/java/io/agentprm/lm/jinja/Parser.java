package io.agentprm.lm.jinja;

import io.agentprm.lm.jinja.Node.Flow;
import io.agentprm.lm.jinja.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the statements of a template. */
final class Parser {
    private final TokenStream in;
    private final ExpressionParser expressions;

    Parser(String name, List<Token> tokens) {
        this.in = new TokenStream(name, tokens);
        this.expressions = new ExpressionParser(in);
    }

    Node template() {
        Node body = until(Set.of());
        if (!in.sees(Kind.EOF)) {
            throw in.unexpected("the end of the template");
        }
        return body;
    }

    /** Reads on to a statement of one of the names, which is left with its begin taken. */
    private Node until(Set<String> ends) {
        List<Node> nodes = new ArrayList<>();
        while (!in.sees(Kind.EOF)) {
            Token token = in.next();
            if (token.kind() == Kind.TEXT) {
                nodes.add(Node.text(token.text()));
            } else if (token.text().equals("{{")) {
                nodes.add(placed(token.line(), output()));
            } else if (ends.contains(in.peek().text())) {
                return Node.sequence(nodes);
            } else {
                nodes.add(placed(token.line(), statement()));
            }
        }
        if (!ends.isEmpty()) {
            throw in.unexpected(String.join(" or ", ends));
        }
        return Node.sequence(nodes);
    }

    /** Errors say where they happened. */
    private Node placed(int line, Node node) {
        String template = in.template();
        return (scope, out) -> {
            try {
                return node.render(scope, out);
            } catch (JinjaException e) {
                throw e.in(template, line);
            }
        };
    }

    private Node output() {
        Expression expression = expressions.tuple();
        in.expect(Kind.END, "}}");
        return (scope, out) -> {
            out.append(Written.str(expression.value(scope)));
            return Flow.ON;
        };
    }

    private Node statement() {
        String word = in.name();
        return switch (word) {
            case "if" -> condition();
            case "for" -> loop();
            case "set" -> assignment();
            case "macro" -> macro();
            case "break" -> flow(Flow.BREAK);
            case "continue" -> flow(Flow.CONTINUE);
            // Marks the agent's own words for loss masks; the text is the same.
            case "generation" -> block("endgeneration");
            default ->
                    throw JinjaException.at(
                            in.template(),
                            in.peek().line(),
                            "the statement '" + word + "' is not covered");
        };
    }

    private Node flow(Flow flow) {
        end();
        return (scope, out) -> flow;
    }

    private Node block(String end) {
        end();
        Node body = until(Set.of(end));
        in.word(end);
        end();
        return body;
    }

    private void end() {
        in.expect(Kind.END, "%}");
    }

    private Node condition() {
        Expression test = expressions.tuple();
        end();
        Node then = until(Set.of("elif", "else", "endif"));
        Node otherwise;
        if (in.takesName("elif")) {
            otherwise = condition();
        } else if (in.takesName("else")) {
            otherwise = block("endif");
        } else {
            in.word("endif");
            end();
            otherwise = Node.text("");
        }
        return (scope, out) ->
                (Values.truth(test.value(scope)) ? then : otherwise).render(scope, out);
    }

    private Node loop() {
        List<String> names = names();
        in.word("in");
        Expression elements = expressions.withoutCondition();
        Optional<Expression> filter =
                in.takesName("if") ? Optional.of(expressions.expression()) : Optional.empty();
        end();
        Node body = until(Set.of("else", "endfor"));
        Node otherwise;
        if (in.takesName("else")) {
            otherwise = block("endfor");
        } else {
            in.word("endfor");
            end();
            otherwise = Node.text("");
        }
        return new Loop(names, elements, filter, body, otherwise);
    }

    private List<String> names() {
        boolean bracket = in.takesOperator("(");
        List<String> names = new ArrayList<>(List.of(in.name()));
        while (in.takesOperator(",")) {
            names.add(in.name());
        }
        if (bracket) {
            in.operator(")");
        }
        return names;
    }

    private Node assignment() {
        List<String> names = names();
        if (in.takesOperator(".")) {
            return attribute(names.get(0), in.name());
        }
        if (in.takesOperator("=")) {
            Expression expression = expressions.tuple();
            end();
            return (scope, out) -> {
                Loop.assign(scope, names, expression.value(scope));
                return Flow.ON;
            };
        }
        Node body = block("endset");
        return (scope, out) -> {
            scope.set(names.get(0), body.text(scope.child()));
            return Flow.ON;
        };
    }

    private Node attribute(String name, String attribute) {
        in.operator("=");
        Expression expression = expressions.tuple();
        end();
        return (scope, out) -> {
            if (!(scope.get(name) instanceof Namespace namespace)) {
                throw JinjaException.of("'" + name + "' must be a namespace to set " + attribute);
            }
            namespace.set(attribute, expression.value(scope));
            return Flow.ON;
        };
    }

    private Node macro() {
        String name = in.name();
        List<Macro.Parameter> parameters = new ArrayList<>();
        in.operator("(");
        while (!in.takesOperator(")")) {
            String parameter = in.name();
            parameters.add(
                    new Macro.Parameter(
                            parameter,
                            in.takesOperator("=")
                                    ? Optional.of(expressions.expression())
                                    : Optional.empty()));
            if (!in.seesOperator(")")) {
                in.operator(",");
            }
        }
        Node body = block("endmacro");
        return (scope, out) -> {
            scope.set(name, new Macro(name, parameters, body, scope));
            return Flow.ON;
        };
    }
}
