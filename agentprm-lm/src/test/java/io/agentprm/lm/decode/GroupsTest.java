package io.agentprm.lm.decode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GroupsTest {
    @Test
    void aFewLongRowsDoNotPadManyShortOnes() {
        List<int[]> pieces = Groups.ofRows(rows(100, 900, 100, 100, 890, 100), 8192);
        assertEquals(2, pieces.size());
        assertArrayEquals(new int[] {1, 4}, pieces.get(0));
        assertArrayEquals(new int[] {0, 2, 3, 5}, pieces.get(1));
    }

    @Test
    void rowsOfLikeLengthStayInOnePiece() {
        assertEquals(1, Groups.ofRows(rows(100, 95, 98, 90), 8192).size());
    }

    @Test
    void noPieceIsLargerThanAllowedUnlessItIsOneRow() {
        List<int[]> pieces = Groups.ofRows(rows(700, 100, 100, 100, 100, 100), 250);
        assertArrayEquals(new int[] {0}, pieces.get(0));
        for (int[] piece : pieces.subList(1, pieces.size())) {
            assertTrue(piece.length <= 2, () -> piece.length + " rows of 100 tokens");
        }
    }

    @Test
    void everyRowIsInExactlyOnePiece() {
        Random random = new Random(1);
        for (int n = 1; n < 40; n++) {
            int[] lengths = random.ints(n, 1, 600).toArray();
            int[] numbers =
                    Groups.ofRows(rows(lengths), 2000).stream()
                            .flatMapToInt(IntStream::of)
                            .sorted()
                            .toArray();
            assertArrayEquals(IntStream.range(0, n).toArray(), numbers);
        }
    }

    @Test
    void rowsOfOneGroupStayTogether() {
        List<TrainingRow> batch =
                List.of(row(900).inGroup(1), row(100), row(100).inGroup(1), row(100), row(100));
        List<List<TrainingRow>> pieces = Groups.of(batch, 8192);
        assertEquals(List.of(batch.get(0), batch.get(2)), pieces.get(0));
        assertEquals(List.of(batch.get(1), batch.get(3), batch.get(4)), pieces.get(1));
    }

    private static List<TokenTree> rows(int... lengths) {
        return IntStream.of(lengths).mapToObj(length -> row(length).tree()).toList();
    }

    private static TrainingRow row(int length) {
        return TrainingRow.of(TokenTree.trunk(TokenSegment.context(new int[length])));
    }
}
