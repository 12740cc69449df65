package io.agentprm.env.webshop.expert;

import java.util.List;

/**
 * What a product is worth to a shopper.
 *
 * @param choices values to choose
 * @param value the higher the better
 * @param convincing true if no better one is to be expected
 */
record Appraisal(List<String> choices, double value, boolean convincing) {
    private static final double OPTION = 0.6;
    private static final double AFFORDABLE = 0.4;

    /**
     * @param read texts of the pages below that were read, possibly none
     */
    static Appraisal of(Wish wish, SeenPage.Item item, String read) {
        List<String> choices = wish.choices(item.options());
        double words = wish.wordsIn(item.title() + " " + read + " " + String.join(" ", choices));
        boolean affordable = wish.affords(item.price());
        boolean allOptions = choices.size() >= wish.namedOptions();
        double value = words + OPTION * choices.size() + (affordable ? AFFORDABLE : 0);
        return new Appraisal(
                choices,
                value,
                affordable
                        && allOptions
                        && (wish.namedOptions() > 0 || !choices.isEmpty())
                        && words > 0.6);
    }
}
