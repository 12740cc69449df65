package io.agentprm.api.lm;

import java.util.ArrayList;
import java.util.List;

/**
 * A trunk with optional branches. A branch sees the trunk and itself, never another branch; its
 * positions continue from the trunk's end. So several replies to one state share the cost of the
 * state. Segment 0 is the trunk, 1 and up the branches.
 */
public final class TokenTree {
    private final List<TokenSegment> segments;
    private final int length;

    private TokenTree(List<TokenSegment> segments) {
        this.segments = List.copyOf(segments);
        if (this.segments.get(0).length() == 0) {
            throw new IllegalArgumentException("the trunk must hold at least one token");
        }
        if (this.segments.get(0).isSupervised(0)) {
            throw new IllegalArgumentException(
                    "nothing precedes the first token of a trunk: it can't be supervised");
        }
        this.length = this.segments.stream().mapToInt(TokenSegment::length).sum();
    }

    public static TokenTree trunk(TokenSegment trunk) {
        return new TokenTree(List.of(trunk));
    }

    public static TokenTree of(TokenSegment trunk, List<TokenSegment> branches) {
        List<TokenSegment> all = new ArrayList<>(branches.size() + 1);
        all.add(trunk);
        all.addAll(branches);
        return new TokenTree(all);
    }

    /** Trunk first, then branches. */
    public List<TokenSegment> segments() {
        return segments;
    }

    public TokenSegment segment(int index) {
        return segments.get(index);
    }

    /** All tokens of trunk and branches: what a forward pass computes. */
    public int length() {
        return length;
    }
}
