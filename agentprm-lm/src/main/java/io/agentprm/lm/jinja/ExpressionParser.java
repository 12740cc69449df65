package io.agentprm.lm.jinja;

import io.agentprm.lm.jinja.Token.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;

/**
 * Reads expressions, from what binds loosest to what binds tightest: condition, or, and, not,
 * comparison, sum, concatenation, product, power, sign, value with its calls, filters and tests.
 */
final class ExpressionParser {
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");

    private final TokenStream in;

    ExpressionParser(TokenStream in) {
        this.in = in;
    }

    /** One expression, or several with commas between, which are a list. */
    Expression tuple() {
        return tuple(expression(), this::expression);
    }

    Expression expression() {
        Expression value = or();
        if (!in.takesName("if")) {
            return value;
        }
        Expression test = or();
        Expression other =
                in.takesName("else") ? expression() : scope -> new Undefined("else of a condition");
        return scope -> (Values.truth(test.value(scope)) ? value : other).value(scope);
    }

    /** What a loop goes through: its own {@code if} is the loop's. */
    Expression withoutCondition() {
        return tuple(or(), this::or);
    }

    private Expression tuple(Expression first, java.util.function.Supplier<Expression> more) {
        if (!in.seesOperator(",")) {
            return first;
        }
        List<Expression> all = new ArrayList<>(List.of(first));
        while (in.takesOperator(",")) {
            if (in.seesOperator(")") || in.sees(Kind.END)) {
                break;
            }
            all.add(more.get());
        }
        return list(all);
    }

    private Expression or() {
        Expression left = and();
        while (in.takesName("or")) {
            Expression a = left;
            Expression b = and();
            left =
                    scope -> {
                        Object value = a.value(scope);
                        return Values.truth(value) ? value : b.value(scope);
                    };
        }
        return left;
    }

    private Expression and() {
        Expression left = not();
        while (in.takesName("and")) {
            Expression a = left;
            Expression b = not();
            left =
                    scope -> {
                        Object value = a.value(scope);
                        return Values.truth(value) ? b.value(scope) : value;
                    };
        }
        return left;
    }

    private Expression not() {
        if (in.takesName("not")) {
            Expression value = not();
            return scope -> !Values.truth(value.value(scope));
        }
        return comparison();
    }

    private Expression comparison() {
        Expression left = sum();
        Optional<Expression> all = Optional.empty();
        while (true) {
            Optional<BinaryOperator<Object>> operator = comparator();
            if (operator.isEmpty()) {
                return all.orElse(left);
            }
            Expression right = sum();
            Expression one = binary(left, right, operator.get());
            Optional<Expression> before = all;
            // a < b < c holds if both do.
            all =
                    Optional.of(
                            before.isEmpty()
                                    ? one
                                    : scope ->
                                            Values.truth(before.get().value(scope))
                                                    && Values.truth(one.value(scope)));
            left = right;
        }
    }

    private Optional<BinaryOperator<Object>> comparator() {
        if (in.takesName("in")) {
            return Optional.of((a, b) -> Values.contains(b, a));
        } else if (in.takesName("not")) {
            in.word("in");
            return Optional.of((a, b) -> !Values.contains(b, a));
        } else if (in.sees(Kind.OPERATOR) && COMPARISONS.contains(in.peek().text())) {
            Function test = Tests.named(in.next().text());
            return Optional.of((a, b) -> test.call(List.of(a, b), Map.of()));
        }
        return Optional.empty();
    }

    private Expression sum() {
        Expression left = concatenation();
        while (in.seesOperator("+") || in.seesOperator("-")) {
            BinaryOperator<Object> operator =
                    in.next().text().equals("+") ? Operators::add : Operators::subtract;
            left = binary(left, concatenation(), operator);
        }
        return left;
    }

    private Expression concatenation() {
        Expression left = product();
        while (in.takesOperator("~")) {
            left = binary(left, product(), (a, b) -> Written.str(a) + Written.str(b));
        }
        return left;
    }

    private Expression product() {
        Expression left = power();
        while (true) {
            BinaryOperator<Object> operator;
            if (in.takesOperator("*")) {
                operator = Operators::multiply;
            } else if (in.takesOperator("/")) {
                operator = Operators::divide;
            } else if (in.takesOperator("//")) {
                operator = Operators::divideDown;
            } else if (in.takesOperator("%")) {
                operator = Operators::remainder;
            } else {
                return left;
            }
            left = binary(left, power(), operator);
        }
    }

    private Expression power() {
        Expression left = sign(true);
        while (in.takesOperator("**")) {
            left = binary(left, sign(true), Operators::power);
        }
        return left;
    }

    private static Expression binary(
            Expression left, Expression right, BinaryOperator<Object> operator) {
        return scope -> operator.apply(left.value(scope), right.value(scope));
    }

    private Expression sign(boolean filtered) {
        Expression value;
        if (in.takesOperator("-")) {
            Expression positive = sign(false);
            value = scope -> Operators.negate(positive.value(scope));
        } else if (in.takesOperator("+")) {
            value = sign(false);
        } else {
            value = primary();
        }
        value = parts(value);
        return filtered ? filters(value) : value;
    }

    /** Attributes, items and calls. */
    private Expression parts(Expression start) {
        Expression value = start;
        while (true) {
            if (in.takesOperator(".")) {
                value = attribute(value);
            } else if (in.takesOperator("[")) {
                value = item(value);
            } else if (in.seesOperator("(")) {
                value = call(value);
            } else {
                return value;
            }
        }
    }

    private Expression attribute(Expression owner) {
        if (in.sees(Kind.INTEGER)) {
            long index = Long.parseLong(in.next().text());
            return scope -> Access.item(owner.value(scope), index);
        }
        String name = in.name();
        return scope -> Access.attribute(owner.value(scope), name);
    }

    private Expression item(Expression owner) {
        Expression from = bound();
        if (!in.takesOperator(":")) {
            in.operator("]");
            return scope -> Access.item(owner.value(scope), from.value(scope));
        }
        Expression to = bound();
        Expression step = in.takesOperator(":") ? bound() : scope -> None.NONE;
        in.operator("]");
        return scope ->
                Access.slice(
                        owner.value(scope), from.value(scope), to.value(scope), step.value(scope));
    }

    private Expression bound() {
        return in.seesOperator(":") || in.seesOperator("]") ? scope -> None.NONE : expression();
    }

    private Expression call(Expression function) {
        Inputs inputs = inputs();
        return scope -> {
            Object called = function.value(scope);
            if (called instanceof Undefined undefined) {
                throw undefined.used();
            } else if (called instanceof Function callable) {
                return callable.call(inputs.byPlace(scope), inputs.byName(scope));
            }
            throw JinjaException.of("a " + Values.type(called) + " cannot be called");
        };
    }

    private Expression filters(Expression start) {
        Expression value = start;
        while (true) {
            if (in.takesOperator("|")) {
                value = filter(value);
            } else if (in.takesName("is")) {
                value = test(value);
            } else if (in.seesOperator("(")) {
                value = call(value);
            } else {
                return value;
            }
        }
    }

    private Expression filter(Expression value) {
        Function filter = known(() -> Filters.known(in.name()));
        Inputs inputs = in.seesOperator("(") ? inputs() : new Inputs(List.of(), Map.of());
        return scope ->
                filter.call(
                        Filters.prepended(value.value(scope), inputs.byPlace(scope)),
                        inputs.byName(scope));
    }

    private Expression test(Expression value) {
        boolean wanted = !in.takesName("not");
        Function test = known(() -> Tests.named(in.name()));
        Inputs inputs;
        if (in.seesOperator("(")) {
            inputs = inputs();
        } else if (argumentFollows()) {
            inputs = new Inputs(List.of(parts(primary())), Map.of());
        } else {
            inputs = new Inputs(List.of(), Map.of());
        }
        return scope ->
                Values.truth(
                                test.call(
                                        Filters.prepended(
                                                value.value(scope), inputs.byPlace(scope)),
                                        inputs.byName(scope)))
                        == wanted;
    }

    /** A filter or test, or an error that says in which line it is missing. */
    private Function known(java.util.function.Supplier<Function> lookup) {
        int line = in.peek().line();
        try {
            return lookup.get();
        } catch (JinjaException e) {
            throw e.in(in.template(), line);
        }
    }

    private boolean argumentFollows() {
        return in.sees(Kind.STRING)
                || in.sees(Kind.INTEGER)
                || in.sees(Kind.FLOAT)
                || in.seesOperator("[")
                || in.seesOperator("{")
                || in.sees(Kind.NAME)
                        && !Set.of("and", "or", "else", "is", "if", "in", "not")
                                .contains(in.peek().text());
    }

    private record Inputs(List<Expression> places, Map<String, Expression> names) {
        List<Object> byPlace(Scope scope) {
            List<Object> values = new ArrayList<>();
            places.forEach(place -> values.add(place.value(scope)));
            return values;
        }

        Map<String, Object> byName(Scope scope) {
            Map<String, Object> values = new LinkedHashMap<>();
            names.forEach((name, value) -> values.put(name, value.value(scope)));
            return values;
        }
    }

    private Inputs inputs() {
        in.operator("(");
        List<Expression> places = new ArrayList<>();
        Map<String, Expression> names = new LinkedHashMap<>();
        while (!in.takesOperator(")")) {
            Token token = in.peek();
            Expression value = expression();
            if (in.takesOperator("=")) {
                names.put(token.text(), expression());
            } else {
                places.add(value);
            }
            if (!in.seesOperator(")")) {
                in.operator(",");
            }
        }
        return new Inputs(places, names);
    }

    private Expression primary() {
        Token token = in.next();
        return switch (token.kind()) {
            case NAME -> name(token.text());
            case STRING -> string(token.text());
            case INTEGER -> constant(Long.parseLong(token.text().replace("_", "")));
            case FLOAT -> constant(Double.parseDouble(token.text().replace("_", "")));
            case OPERATOR -> bracket(token);
            default -> throw wrong(token);
        };
    }

    private static Expression name(String name) {
        return switch (name) {
            case "true", "True" -> constant(true);
            case "false", "False" -> constant(false);
            case "none", "None" -> constant(None.NONE);
            default -> scope -> scope.get(name);
        };
    }

    /** Strings side by side are one. */
    private Expression string(String first) {
        StringBuilder text = new StringBuilder(first);
        while (in.sees(Kind.STRING)) {
            text.append(in.next().text());
        }
        return constant(text.toString());
    }

    private static Expression constant(Object value) {
        return scope -> value;
    }

    private Expression bracket(Token token) {
        return switch (token.text()) {
            case "(" -> {
                if (in.takesOperator(")")) {
                    yield list(List.of());
                }
                Expression value = tuple();
                in.operator(")");
                yield value;
            }
            case "[" -> {
                List<Expression> elements = new ArrayList<>();
                while (!in.takesOperator("]")) {
                    elements.add(expression());
                    if (!in.seesOperator("]")) {
                        in.operator(",");
                    }
                }
                yield list(elements);
            }
            case "{" -> map();
            default -> throw wrong(token);
        };
    }

    private Expression map() {
        Map<Expression, Expression> entries = new LinkedHashMap<>();
        while (!in.takesOperator("}")) {
            Expression key = expression();
            in.operator(":");
            entries.put(key, expression());
            if (!in.seesOperator("}")) {
                in.operator(",");
            }
        }
        return scope -> {
            Map<Object, Object> map = new LinkedHashMap<>();
            entries.forEach((key, value) -> map.put(key.value(scope), value.value(scope)));
            return map;
        };
    }

    private static Expression list(List<Expression> elements) {
        List<Expression> all = List.copyOf(elements);
        return scope -> {
            List<Object> values = new ArrayList<>();
            all.forEach(element -> values.add(element.value(scope)));
            return values;
        };
    }

    private JinjaException wrong(Token token) {
        return JinjaException.at(
                in.template(), token.line(), "expected a value, found '" + token.text() + "'");
    }
}
