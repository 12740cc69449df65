package io.agentprm.algos.optim;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.api.lm.RenderedSegment;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.trajectory.Trajectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Replies as branches of their trajectories: one tree per segment of a trajectory, whose trunk ends
 * with the last state replied to, and whose branches fork where the reply to their state begins. So
 * all prompts of a trajectory cost one pass over it.
 */
final class ReplyForest {
    /** Where a reply lies: branch of a tree. */
    record Place(int tree, int branch) {}

    private record SegmentKey(int trajectory, int segment) {}

    private record Trunk(int[] tokens, List<int[]> branches, List<Integer> forks) {}

    private final StateRenderer renderer;
    private final List<Trajectory> trajectories;
    private final Map<SegmentKey, Trunk> trunks = new LinkedHashMap<>();
    private final Map<SegmentKey, Integer> numbers = new LinkedHashMap<>();
    private final Map<Integer, List<RenderedSegment>> rendered = new LinkedHashMap<>();

    ReplyForest(StateRenderer renderer, List<Trajectory> trajectories) {
        this.renderer = renderer;
        this.trajectories = trajectories;
    }

    /** Adds a reply, given by its token ids. */
    Place add(Prompt prompt, int[] reply) {
        List<RenderedSegment> segments =
                rendered.computeIfAbsent(
                        prompt.trajectory(), i -> renderer.trajectory(trajectories.get(i)));
        for (int s = 0; s < segments.size(); s++) {
            for (RenderedSegment.Reply logged : segments.get(s).replies()) {
                if (logged.turn() == prompt.turn()) {
                    return add(
                            new SegmentKey(prompt.trajectory(), s),
                            segments.get(s).tokens(),
                            logged.start(),
                            reply);
                }
            }
        }
        throw new AlgorithmException(
                "the rendering of "
                        + trajectories.get(prompt.trajectory()).id()
                        + " does not show the reply of turn "
                        + prompt.turn());
    }

    private Place add(SegmentKey key, int[] tokens, int fork, int[] reply) {
        Trunk trunk =
                trunks.computeIfAbsent(
                        key, k -> new Trunk(tokens, new ArrayList<>(), new ArrayList<>()));
        int number = numbers.computeIfAbsent(key, k -> numbers.size());
        trunk.branches().add(reply);
        trunk.forks().add(fork);
        return new Place(number, trunk.branches().size());
    }

    /** One tree per segment, numbered as in the places. */
    List<TokenTree> trees() {
        return trunks.values().stream().map(ReplyForest::tree).toList();
    }

    private static TokenTree tree(Trunk trunk) {
        int length = trunk.forks().stream().mapToInt(Integer::intValue).max().orElseThrow();
        TokenTree tree =
                TokenTree.trunk(TokenSegment.context(Arrays.copyOf(trunk.tokens(), length)));
        for (int b = 0; b < trunk.branches().size(); b++) {
            tree =
                    tree.withBranch(
                            TokenSegment.supervised(trunk.branches().get(b)), trunk.forks().get(b));
        }
        return tree;
    }
}
