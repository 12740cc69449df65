package io.agentprm.lm.jinja;

import java.util.LinkedHashMap;
import java.util.Map;

/** A template, read once. Immutable and thread-safe. */
public final class Template {
    private final Node body;

    private Template(Node body) {
        this.body = body;
    }

    /**
     * Reads a template.
     *
     * @param name what errors call it, such as its file
     * @throws JinjaException if it is not well formed or uses what is not covered
     */
    public static Template compile(String name, String source) {
        return new Template(new Parser(name, new Lexer(name, source).tokens()).template());
    }

    /**
     * Renders it. The same variables give the same text.
     *
     * @param variables texts, numbers, truth values, lists and maps of such
     * @throws JinjaException if the template fails or calls {@code raise_exception}
     */
    public String render(Map<String, ?> variables) {
        Scope globals = Scope.of(Globals.functions());
        Map<String, Object> values = new LinkedHashMap<>(variables);
        Scope scope = globals.child();
        values.forEach((key, value) -> scope.set(key, Values.of(value)));
        StringBuilder out = new StringBuilder();
        body.render(scope, out);
        return out.toString();
    }
}
