package io.agentprm.env.webshop.shop;

/** Gets the parts of a page in order. */
interface PageWriter {
    void text(String text);

    /** The task, under its heading. */
    default void instruction(String heading, String text) {
        text(heading);
        text(text);
    }

    /** Where the words of a search are entered, which has no text. */
    default void searchField() {}

    void button(String text);

    /** A value of an option, in the group that was named before. */
    void option(String group, String value);

    /**
     * A link to a product.
     *
     * @param name what it is called
     */
    void link(String asin, String name);

    /**
     * What is left of a text after the original's parser: nothing if it is empty or blank with a
     * line break; one blank, which is kept, if it is otherwise blank.
     */
    static String parsed(String text) {
        boolean lineBreak = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != ' ' && c != '\t' && c != '\r' && c != '\f' && c != '\n') {
                return text;
            }
            lineBreak |= c == '\n';
        }
        return lineBreak || text.isEmpty() ? "" : " ";
    }
}
