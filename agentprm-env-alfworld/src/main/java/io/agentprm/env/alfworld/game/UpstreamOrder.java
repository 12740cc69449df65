package io.agentprm.env.alfworld.game;

import java.util.ArrayList;
import java.util.List;

/**
 * The order in which the upstream batch environment deals out its games: numpy's legacy shuffle
 * (Fisher-Yates on masked 32-bit draws of MT19937) before each pass, of the list as the pass before
 * left it. Give it the games in upstream's listing order. Not thread-safe.
 */
public final class UpstreamOrder<T> {
    private final List<T> games;
    private final Mt19937 random;
    private int next;

    /**
     * @param seed upstream uses 1234 at construction and 42 for evaluation; only its lowest 32 bits
     *     count
     */
    public UpstreamOrder(List<T> games, long seed) {
        if (games.isEmpty()) {
            throw new IllegalArgumentException("there are no games to put in order");
        }
        this.games = new ArrayList<>(games);
        this.random = new Mt19937((int) seed);
    }

    /** The next game; starts over without end. */
    public T next() {
        if (next == 0) {
            shuffle();
        }
        T game = games.get(next);
        next = (next + 1) % games.size();
        return game;
    }

    private void shuffle() {
        for (int i = games.size() - 1; i > 0; i--) {
            int j = random.upTo(i);
            T other = games.get(i);
            games.set(i, games.get(j));
            games.set(j, other);
        }
    }
}
