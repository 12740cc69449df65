package io.agentprm.env.webshop.shop;

/** How a page is written down. */
public enum ObservationMode {
    /** The texts of the page, trimmed and joined by {@code [SEP]}. */
    TEXT,
    /** A line for each text, with marks around what can be clicked and what has been. */
    TEXT_RICH,
    /**
     * Markup with the original's ids, classes and form fields, by which programs find their way;
     * not its layout.
     */
    HTML,
    /** The page's address only. */
    URL
}
