package io.agentprm.core.report;

/** Writes markup. Everything that is not a tag name is escaped, so data never becomes markup. */
public final class Html {
    private final StringBuilder out = new StringBuilder();

    /** Opens an element. Attributes are pairs of name and value. */
    public Html open(String tag, String... attributes) {
        start(tag, attributes);
        out.append('>');
        return this;
    }

    /** Closes an element. */
    public Html close(String tag) {
        out.append("</").append(tag).append('>');
        return this;
    }

    /** An element that has no content. */
    public Html empty(String tag, String... attributes) {
        start(tag, attributes);
        out.append("/>");
        return this;
    }

    /** An element that holds text only. */
    public Html element(String tag, String text, String... attributes) {
        return open(tag, attributes).text(text).close(tag);
    }

    /** Text, escaped. */
    public Html text(String text) {
        out.append(escape(text));
        return this;
    }

    /** A line break of the markup. */
    public Html line() {
        out.append('\n');
        return this;
    }

    /** Text of the program itself (style, script, escaped JSON) that goes out as it is. */
    public Html trusted(String markup) {
        out.append(markup);
        return this;
    }

    @Override
    public String toString() {
        return out.toString();
    }

    private void start(String tag, String... attributes) {
        out.append('<').append(tag);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ')
                    .append(attributes[i])
                    .append("=\"")
                    .append(escape(attributes[i + 1]))
                    .append('"');
        }
    }

    static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(c < ' ' && c != '\n' && c != '\t' ? '\uFFFD' : c);
            }
        }
        return escaped.toString();
    }
}
