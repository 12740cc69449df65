package io.agentprm.env.webshop.catalog;

import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.python.PythonText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** The text of a price in the files, and on the pages. */
final class Prices {
    private static final List<Double> NONE = List.of(100.0);

    private Prices() {}

    /**
     * One price, or two for a range. A product without one costs 100 dollars.
     *
     * @throws WebshopException if there is no number after a dollar sign
     */
    static List<Double> parse(String text) {
        if (text.isEmpty()) {
            return NONE;
        }
        String[] pieces = text.split("\\$", -1);
        List<Double> prices = new ArrayList<>();
        for (int i = 1; i < pieces.length && i <= 2; i++) {
            prices.add(number(text, pieces[i]));
        }
        if (prices.isEmpty()) {
            throw new WebshopException(
                    "pricing '" + text + "' holds no '$' with a number after it");
        }
        return prices;
    }

    private static double number(String text, String piece) {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < piece.length(); i++) {
            char c = piece.charAt(i);
            if (c == '.' || (c >= '0' && c <= '9')) {
                digits.append(c);
            }
        }
        try {
            return new BigDecimal(digits.toString()).doubleValue();
        } catch (NumberFormatException e) {
            throw new WebshopException(
                    "pricing '" + text + "' has '" + piece + "' where a number should be", e);
        }
    }

    static String tag(List<Double> pricing) {
        StringBuilder tag = new StringBuilder("$").append(PythonText.repr(pricing.get(0)));
        if (pricing.size() > 1) {
            tag.append(" to $").append(PythonText.repr(pricing.get(1)));
        }
        return tag.toString();
    }
}
