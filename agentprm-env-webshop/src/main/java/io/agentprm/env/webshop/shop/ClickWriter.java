package io.agentprm.env.webshop.shop;

import io.agentprm.env.webshop.python.PythonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects what can be clicked: buttons, then links to products, then values of options, by their
 * text. A text that comes again keeps its place, but stands for the later part.
 */
final class ClickWriter implements PageWriter {
    private final List<String> buttons = new ArrayList<>();
    private final List<String> links = new ArrayList<>();
    private final List<String> options = new ArrayList<>();

    @Override
    public void text(String text) {
        // Nothing to click.
    }

    @Override
    public void button(String text) {
        buttons.add(PythonText.lower(text));
    }

    @Override
    public void option(String group, String value) {
        options.add(value);
    }

    @Override
    public void link(String asin, String name) {
        links.add(PythonText.lower(name));
    }

    Clickables clickables() {
        Map<String, Clickables.Part> parts = new LinkedHashMap<>();
        buttons.forEach(text -> parts.put(text, Clickables.Part.BUTTON));
        links.forEach(text -> parts.put(text, Clickables.Part.LINK));
        options.forEach(text -> parts.put(text, Clickables.Part.OPTION));
        return Clickables.of(parts);
    }
}
