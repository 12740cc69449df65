package io.agentprm.env.webshop.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Near-duplicates have this in common: their kind, most attributes and some words. Colours, sizes,
 * prices and what the texts say differ, so that these decide.
 *
 * @param kind of goods that were searched
 * @param found what the search found, which is not always that
 * @param attributes from which its products take theirs, the first ones more often
 * @param words nouns in their titles
 * @param price median in dollars
 */
record Family(Kind kind, Kind found, List<String> attributes, List<String> words, double price) {
    private static final int MOST_ATTRIBUTES = 14;

    static Family draw(List<Kind> kinds, Draws draws) {
        Kind kind = draws.pick(kinds);
        Kind found = found(kind, kinds, draws);
        List<String> attributes =
                new ArrayList<>(
                        draws.frequent(
                                found.group().attributes(), 4 + draws.below(MOST_ATTRIBUTES - 3)));
        attributes.add(draws.below(attributes.size() + 1), nounAttribute(found));
        return new Family(
                kind,
                found,
                attributes,
                draws.frequent(found.group().words(), 3 + draws.below(3)),
                found.group().price() * Math.exp(0.45 * draws.gaussian()));
    }

    /** A search also finds its neighbours, and now and then anything. */
    private static Kind found(Kind kind, List<Kind> kinds, Draws draws) {
        if (draws.chance(0.35)) {
            return draws.pick(kinds);
        }
        if (draws.chance(0.35)) {
            return draws.pick(kinds.stream().filter(k -> k.group().equals(kind.group())).toList());
        }
        return kind;
    }

    /** What the goods are, which scraped attributes contain as well. */
    static String nounAttribute(Kind kind) {
        return kind.noun().toLowerCase(Locale.ROOT);
    }
}
