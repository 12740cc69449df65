package io.agentprm.api.lm;

import io.agentprm.api.Experimental;
import java.util.ArrayList;
import java.util.List;

/**
 * A trunk with optional branches. A branch forks off the trunk after some of its tokens (after all
 * of them unless said otherwise): it sees the trunk up to its fork and itself, never the rest of
 * the trunk or another branch, and its positions continue from the fork. So several replies to one
 * state share the cost of the state, and alternative replies at every turn of a trajectory share
 * one pass over the trajectory. Segment 0 is the trunk, 1 and up the branches.
 */
@Experimental(since = "1.0")
public final class TokenTree {
    private final List<TokenSegment> segments;
    private final int[] forks;
    private final int length;

    private TokenTree(List<TokenSegment> segments, int[] forks) {
        this.segments = List.copyOf(segments);
        this.forks = forks;
        TokenSegment trunk = this.segments.get(0);
        if (trunk.length() == 0) {
            throw new IllegalArgumentException("the trunk must hold at least one token");
        }
        if (trunk.isSupervised(0)) {
            throw new IllegalArgumentException(
                    "nothing precedes the first token of a trunk: it can't be supervised");
        }
        for (int s = 1; s < forks.length; s++) {
            if (forks[s] < 1 || forks[s] > trunk.length()) {
                throw new IllegalArgumentException(
                        "branch "
                                + s
                                + " forks after "
                                + forks[s]
                                + " tokens of a trunk of "
                                + trunk.length());
            }
        }
        this.length = this.segments.stream().mapToInt(TokenSegment::length).sum();
    }

    public static TokenTree trunk(TokenSegment trunk) {
        return new TokenTree(List.of(trunk), new int[1]);
    }

    /** A tree whose branches all fork at the trunk's end. */
    public static TokenTree of(TokenSegment trunk, List<TokenSegment> branches) {
        TokenTree tree = trunk(trunk);
        for (TokenSegment branch : branches) {
            tree = tree.withBranch(branch, trunk.length());
        }
        return tree;
    }

    /**
     * The same tree with one more branch.
     *
     * @param fork number of trunk tokens that the branch sees, in [1, trunk length]; its first
     *     token has this position
     */
    public TokenTree withBranch(TokenSegment branch, int fork) {
        List<TokenSegment> more = new ArrayList<>(segments);
        more.add(branch);
        int[] moreForks = java.util.Arrays.copyOf(forks, forks.length + 1);
        moreForks[forks.length] = fork;
        return new TokenTree(more, moreForks);
    }

    /** Trunk first, then branches. */
    public List<TokenSegment> segments() {
        return segments;
    }

    public TokenSegment segment(int index) {
        return segments.get(index);
    }

    /** Number of trunk tokens that a segment sees before its own: 0 for the trunk. */
    public int fork(int segment) {
        return forks[segment];
    }

    /** All tokens of trunk and branches: what a forward pass computes. */
    public int length() {
        return length;
    }
}
