package io.agentprm.env.webshop.shop;

import java.util.Map;

/**
 * {@link ObservationMode#HTML}. A program that reads the original's pages finds the same hooks: the
 * ids {@code search_input} and {@code instruction-text}, the classes {@code btn} and {@code
 * product-link}, and radio buttons with name and value. Pictures are not kept.
 */
final class HtmlWriter implements PageWriter {
    private final StringBuilder out = new StringBuilder("<!DOCTYPE html>\n<html>\n<body>\n");
    private final Map<String, String> chosen;

    /**
     * @param chosen values by the name of their group
     */
    HtmlWriter(Map<String, String> chosen) {
        this.chosen = chosen;
    }

    @Override
    public void text(String text) {
        String parsed = PageWriter.parsed(text);
        if (!parsed.isEmpty()) {
            line("<p>", parsed, "</p>");
        }
    }

    @Override
    public void instruction(String heading, String text) {
        out.append("<div id=\"instruction-text\"><h4>").append(heading);
        line("<br>", PageWriter.parsed(text), "</h4></div>");
    }

    @Override
    public void searchField() {
        out.append("<input id=\"search_input\" type=\"text\">\n");
    }

    @Override
    public void button(String text) {
        line("<button class=\"btn\">", text, "</button>");
    }

    @Override
    public void option(String group, String value) {
        out.append("<label><input type=\"radio\" name=\"")
                .append(escaped(group))
                .append("\" value=\"")
                .append(escaped(value))
                .append(value.equals(chosen.get(group)) ? "\" checked>" : "\">");
        line("", PageWriter.parsed(value), "</label>");
    }

    @Override
    public void link(String asin, String name) {
        line("<a class=\"product-link\">", name, "</a>");
    }

    private void line(String before, String text, String after) {
        out.append(before).append(escaped(text)).append(after).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    @Override
    public String toString() {
        return out + "</body>\n</html>\n";
    }
}
