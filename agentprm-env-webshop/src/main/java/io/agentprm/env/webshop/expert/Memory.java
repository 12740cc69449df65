package io.agentprm.env.webshop.expert;

import io.agentprm.api.trajectory.State;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a shopper remembers, read from the history of its episode, its own or another's: how often
 * it searched, which products it opened and what they are worth, and what it did since it opened
 * the last one.
 */
final class Memory {
    private final Wish wish;
    private final Map<String, SeenPage.Item> items = new LinkedHashMap<>();
    private final Map<String, String> read = new HashMap<>();
    private final Map<String, Integer> opened = new HashMap<>();
    private final Set<String> clicked = new HashSet<>();
    private Optional<String> current = Optional.empty();
    private int searches;

    Memory(State state) {
        this.wish = new Wish(state.instruction());
        for (State.Past past : state.history()) {
            see(SeenPage.of(past.observation()), past.decision().action().text());
        }
        look(SeenPage.of(state.observation()));
    }

    private void see(SeenPage page, String action) {
        look(page);
        if (action.startsWith("search[")) {
            searches++;
        }
        if (page instanceof SeenPage.Results results) {
            current = Optional.empty();
            for (SeenPage.Offer offer : results.offers()) {
                if (action.equals(SeenPage.click(offer.asin()))) {
                    current = Optional.of(offer.asin());
                    opened.merge(offer.asin(), 1, Integer::sum);
                    clicked.clear();
                }
            }
        }
        clicked.add(action);
    }

    private void look(SeenPage page) {
        current.ifPresent(
                asin -> {
                    if (page instanceof SeenPage.Item item) {
                        items.put(asin, item);
                    } else if (page instanceof SeenPage.Other other) {
                        read.merge(asin, other.text(), (a, b) -> a + " " + b);
                    }
                });
    }

    Wish wish() {
        return wish;
    }

    int searches() {
        return searches;
    }

    /** Number of different products that were opened. */
    int products() {
        return opened.size();
    }

    boolean knows(String asin) {
        return opened.containsKey(asin);
    }

    /** The product that is open. */
    Optional<String> current() {
        return current;
    }

    /** True if the open product was opened before: the shopper has decided. */
    boolean cameBack() {
        return current.map(asin -> opened.getOrDefault(asin, 0) > 1).orElse(false);
    }

    /** True if this was done since the last product was opened. */
    boolean did(String action) {
        return clicked.contains(action);
    }

    Optional<Appraisal> appraisal(String asin) {
        return Optional.ofNullable(items.get(asin))
                .map(item -> Appraisal.of(wish, item, read.getOrDefault(asin, "")));
    }
}
