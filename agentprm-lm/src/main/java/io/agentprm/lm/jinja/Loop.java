package io.agentprm.lm.jinja;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A for loop, with Jinja's variable {@code loop}. */
record Loop(
        List<String> names,
        Expression elements,
        Optional<Expression> filter,
        Node body,
        Node otherwise)
        implements Node {

    @Override
    public Flow render(Scope scope, StringBuilder out) {
        List<Object> all =
                Values.elements(elements.value(scope)).stream()
                        .filter(element -> kept(scope, element))
                        .toList();
        if (all.isEmpty()) {
            return otherwise.render(scope, out);
        }
        for (int i = 0; i < all.size(); i++) {
            Scope inner = scope.child();
            assign(inner, names, all.get(i));
            inner.set("loop", place(all, i));
            if (body.render(inner, out) == Flow.BREAK) {
                break;
            }
        }
        return Flow.ON;
    }

    private boolean kept(Scope scope, Object element) {
        if (filter.isEmpty()) {
            return true;
        }
        Scope inner = scope.child();
        assign(inner, names, element);
        return Values.truth(filter.get().value(inner));
    }

    private static Map<Object, Object> place(List<Object> all, int i) {
        int size = all.size();
        Map<Object, Object> loop = new HashMap<>();
        loop.put("index", i + 1L);
        loop.put("index0", (long) i);
        loop.put("revindex", (long) size - i);
        loop.put("revindex0", (long) size - i - 1);
        loop.put("first", i == 0);
        loop.put("last", i == size - 1);
        loop.put("length", (long) size);
        loop.put("previtem", i == 0 ? new Undefined("previtem") : all.get(i - 1));
        loop.put("nextitem", i == size - 1 ? new Undefined("nextitem") : all.get(i + 1));
        loop.put("cycle", (Function) (a, k) -> a.get(i % a.size()));
        return loop;
    }

    static void assign(Scope scope, List<String> names, Object value) {
        if (names.size() == 1) {
            scope.set(names.get(0), value);
            return;
        }
        List<Object> parts = Values.elements(value);
        if (parts.size() != names.size()) {
            throw JinjaException.of(
                    "cannot give " + parts.size() + " values to " + names.size() + " names");
        }
        for (int i = 0; i < parts.size(); i++) {
            scope.set(names.get(i), parts.get(i));
        }
    }
}
