package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.agentprm.lm.decode.Conversations;
import java.util.ArrayList;
import java.util.List;

/**
 * Replies whose keys and values are kept in the caches of their conversations, behind the prompt:
 * the next prompt goes on with one of them. Where the caches may not grow, they are left out.
 */
final class Replies {
    private final Conversations conversations;
    private final List<long[]> moves = new ArrayList<>();

    Replies(Conversations conversations) {
        this.conversations = conversations;
    }

    /**
     * Adds a reply.
     *
     * @param cache of the prompt that it follows
     * @param tokens of the reply
     * @param row that holds their keys and values
     * @param columns of the row that do, one for each token
     */
    void add(Conversations.Entry cache, int[] tokens, int row, int[] columns) {
        int first = cache.reach();
        if (!conversations.reserveWithin(first + columns.length)) {
            return;
        }
        int[] kept = new int[columns.length];
        for (int c = 0; c < kept.length; c++) {
            kept[c] = first + c;
            moves.add(new long[] {row, columns[c], cache.slot(), kept[c]});
        }
        cache.branch(tokens, kept);
    }

    /** Copies their keys and values from an array with such rows. */
    void copy(NDManager manager, NDArray own, DjlCacheMemory memory) {
        if (moves.isEmpty()) {
            return;
        }
        long[] planes = new long[4 * moves.size()];
        for (int i = 0; i < planes.length; i++) {
            planes[i] = moves.get(i % moves.size())[i / moves.size()];
        }
        memory.remember(manager, own, planes);
    }
}
