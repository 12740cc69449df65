package io.agentprm.env.webshop.shop;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What can be clicked on a page.
 *
 * @param names in the order of the page
 * @param actions those that an action can name, such as {@code click[buy now]}; a text with
 *     brackets cannot be named, and {@code click[search]} does nothing
 * @param parts what stands behind each name
 */
record Clickables(List<String> names, List<String> actions, Map<String, Part> parts) {
    /** Kinds of parts of a page. */
    enum Part {
        BUTTON,
        LINK,
        OPTION
    }

    static Clickables of(Map<String, Part> parts) {
        return new Clickables(
                List.copyOf(parts.keySet()),
                parts.keySet().stream()
                        .filter(Clickables::canBeNamed)
                        .map(Clickables::click)
                        .toList(),
                parts);
    }

    private static String click(String name) {
        return "click[" + name + "]";
    }

    private static boolean canBeNamed(String name) {
        return !name.equals("search")
                && ActionText.parse(click(name)).equals(Optional.of(new ActionText("click", name)));
    }
}
