package io.agentprm.lm.text;

import io.agentprm.api.lm.TokenConstraint;
import io.agentprm.api.lm.Tokenizer;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Allows exactly the given token sequences: a prefix tree, whose leaves are complete replies. A
 * reply that is the beginning of another one is told apart by the end of turn, which is part of
 * both.
 */
public final class TokenTrie implements TokenConstraint {
    private final Node root;

    private TokenTrie(Node root) {
        this.root = root;
    }

    /**
     * @param sequences at least one; each with its end of turn, none of them the beginning of
     *     another
     */
    public static TokenTrie of(Collection<int[]> sequences) {
        Builder root = new Builder();
        for (int[] sequence : sequences) {
            root.insert(sequence);
        }
        if (root.children.isEmpty()) {
            throw new IllegalArgumentException("a constraint must allow at least one reply");
        }
        return new TokenTrie(root.build());
    }

    /**
     * Allows the replies that consist of one of the actions, without a reason.
     *
     * @param actions at least one
     */
    public static TokenTrie ofActions(
            Collection<String> actions, ReplyFormat format, Tokenizer tokenizer) {
        return of(
                actions.stream()
                        .map(
                                a ->
                                        withEnd(
                                                tokenizer.encode(format.write(Optional.empty(), a)),
                                                tokenizer))
                        .toList());
    }

    @Override
    public State start() {
        return root;
    }

    private static int[] withEnd(int[] ids, Tokenizer tokenizer) {
        int[] out = Arrays.copyOf(ids, ids.length + 1);
        out[ids.length] = tokenizer.endOfTurn();
        return out;
    }

    private static final class Builder {
        private final Map<Integer, Builder> children = new TreeMap<>();
        private boolean leaf;

        void insert(int[] sequence) {
            Builder node = this;
            for (int id : sequence) {
                requireFree(node, sequence);
                node = node.children.computeIfAbsent(id, k -> new Builder());
            }
            if (node == this || !node.children.isEmpty()) {
                throw clash(sequence);
            }
            node.leaf = true;
        }

        private static void requireFree(Builder node, int[] sequence) {
            if (node.leaf) {
                throw clash(sequence);
            }
        }

        private static IllegalArgumentException clash(int[] sequence) {
            return new IllegalArgumentException(
                    "one allowed reply is the beginning of another; end each with the end of turn: "
                            + Arrays.toString(sequence));
        }

        Node build() {
            int[] allowed = children.keySet().stream().mapToInt(Integer::intValue).toArray();
            return new Node(
                    allowed, children.values().stream().map(Builder::build).toArray(Node[]::new));
        }
    }

    private static final class Node implements State {
        private final int[] allowed;
        private final Node[] next;

        Node(int[] allowed, Node[] next) {
            this.allowed = allowed;
            this.next = next;
        }

        @Override
        public int[] allowed() {
            return allowed;
        }

        @Override
        public State next(int id) {
            int at = Arrays.binarySearch(allowed, id);
            if (at < 0) {
                throw new IllegalArgumentException(
                        id + " is not allowed here; allowed are " + Arrays.toString(allowed));
            }
            return next[at];
        }
    }
}
