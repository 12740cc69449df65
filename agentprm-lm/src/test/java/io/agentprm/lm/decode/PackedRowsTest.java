package io.agentprm.lm.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PackedRowsTest {
    private static final int PLANES = 5;
    private static final int END = 3;

    /** Training and generation must show the model the same inputs. */
    @Test
    void aBranchIsReadAsItsTrunkContinued() {
        Random random = new Random(1);
        for (int recalled : List.of(Recall.NOTHING, END)) {
            Recall recall = new Recall(recalled);
            for (int round = 0; round < 200; round++) {
                int[] trunk = tokens(2 + random.nextInt(10), random);
                int[] branch = tokens(1 + random.nextInt(6), random);
                int fork = 1 + random.nextInt(trunk.length);
                TokenTree tree =
                        TokenTree.trunk(TokenSegment.context(trunk))
                                .withBranch(TokenSegment.context(branch), fork);
                PackedRows packed = PackedRows.of(List.of(tree), recall);
                int[] whole = Arrays.copyOf(trunk, fork + branch.length);
                System.arraycopy(branch, 0, whole, fork, branch.length);
                assertEquals(
                        inputs(sequence(trunk, recall), trunk.length, 0, trunk.length),
                        inputs(packed.planes(), tree.length(), 0, trunk.length));
                assertEquals(
                        inputs(sequence(whole, recall), whole.length, fork, branch.length),
                        inputs(packed.planes(), tree.length(), trunk.length, branch.length));
                Tokens reply = new Tokens(1, branch.length, recall);
                for (int n = 0; n < branch.length; n++) {
                    reply.put(0, n, Arrays.copyOf(trunk, fork), branch, n);
                }
                assertEquals(
                        inputs(sequence(whole, recall), whole.length, fork, branch.length),
                        inputs(reply.planes(), branch.length, 0, branch.length));
            }
        }
    }

    private static int[] tokens(int count, Random random) {
        return random.ints(count, 1, 7).toArray();
    }

    private static long[] sequence(int[] tokens, Recall recall) {
        Tokens rows = new Tokens(1, tokens.length, recall);
        rows.put(0, 0, tokens, 0);
        return rows.planes();
    }

    /** The five inputs of some tokens of a row. */
    private static List<String> inputs(long[] planes, int width, int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(
                        t ->
                                IntStream.range(0, PLANES)
                                        .mapToLong(p -> planes[p * width + t])
                                        .boxed()
                                        .toList()
                                        .toString())
                .toList();
    }
}
