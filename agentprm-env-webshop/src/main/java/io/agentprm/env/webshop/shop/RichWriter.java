package io.agentprm.env.webshop.shop;

import java.util.Set;

/**
 * {@link ObservationMode#TEXT_RICH}. An option counts as clicked if it stands in double quotes in
 * the page's address, which escapes quotes and letters outside ASCII: values with those never do.
 */
final class RichWriter implements PageWriter {
    private final StringBuilder out = new StringBuilder();
    private final String url;
    private final Set<String> opened;
    private String clicked = "";

    /**
     * @param url address of the page
     * @param opened ids of the products that were opened since the last search from the start page
     */
    RichWriter(String url, Set<String> opened) {
        this.url = url;
        this.opened = opened;
    }

    @Override
    public void text(String text) {
        String parsed = PageWriter.parsed(text);
        if (!parsed.isEmpty()) {
            out.append(parsed).append('\n');
        }
    }

    @Override
    public void button(String text) {
        out.append("[button] ").append(text).append(" [button_]\n");
    }

    @Override
    public void option(String group, String value) {
        String parsed = PageWriter.parsed(value);
        if (parsed.isEmpty()) {
            return;
        }
        boolean isClicked = url.contains('"' + parsed + '"');
        out.append(isClicked ? "  [clicked button] " : "  [button] ")
                .append(parsed)
                .append(isClicked ? " [clicked button_]\n" : " [button_]\n");
        if (isClicked) {
            clicked = "You have clicked " + parsed + ".\n" + clicked;
        }
    }

    @Override
    public void link(String asin, String name) {
        boolean isClicked = opened.contains(asin);
        out.append(isClicked ? "\n[clicked button] " : "\n[button] ")
                .append(name)
                .append(isClicked ? " [clicked button_]\n" : " [button_]\n");
    }

    @Override
    public String toString() {
        return clicked + out;
    }
}
