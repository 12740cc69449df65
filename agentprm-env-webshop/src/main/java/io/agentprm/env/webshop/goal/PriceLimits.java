package io.agentprm.env.webshop.goal;

import io.agentprm.env.webshop.python.PythonRandom;
import io.agentprm.env.webshop.search.GoalFacts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Prices that the reward compares, and the limits that instructions name. */
final class PriceLimits {
    private static final int STEP = 10;
    private static final int LARGEST = 990;
    private static final int CANDIDATES = 4;

    private PriceLimits() {}

    /** The price of every product; between two, one is drawn. */
    static double[] prices(GoalFacts facts, PythonRandom random) {
        double[] prices = new double[facts.size()];
        for (int i = 0; i < prices.length; i++) {
            prices[i] =
                    facts.isRange(i)
                            ? random.uniform(facts.price(i), facts.otherPrice(i))
                            : facts.price(i);
        }
        return prices;
    }

    /** Draws a limit in tens of dollars; 0 for none, if the price leaves no choice. */
    static byte draw(double price, PythonRandom random) {
        List<Integer> above = new ArrayList<>();
        for (int limit = STEP; limit <= LARGEST && above.size() < CANDIDATES; limit += STEP) {
            if (limit > price) {
                above.add(limit);
            }
        }
        return above.size() < 2 ? 0 : (byte) (Collections.max(random.sample(above, 2)) / STEP);
    }

    static double dollars(byte limit) {
        return limit == 0 ? Goal.NO_LIMIT : limit * (double) STEP;
    }

    static String text(byte limit) {
        return limit == 0
                ? ""
                : String.format(Locale.ROOT, ", and price lower than %.2f dollars", dollars(limit));
    }
}
