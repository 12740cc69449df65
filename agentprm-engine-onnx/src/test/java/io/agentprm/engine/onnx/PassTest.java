package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PassTest {
    private static final int[] NONE = {};

    /** What a row of the mask shows, as text: x for seen, . for hidden. */
    private static String seen(float[] mask, int row, int width) {
        StringBuilder out = new StringBuilder();
        for (int i = row * width; i < (row + 1) * width; i++) {
            out.append(mask[i] == 0 ? 'x' : '.');
        }
        return out.toString();
    }

    @Test
    void aPromptSeesItsCacheAndItselfUpToEachToken() {
        Pass pass = new Pass(1);
        pass.add(0, 2, NONE, 2, 3);
        float[] mask = pass.mask(6);
        assertEquals("xxx...", seen(mask, 0, 6));
        assertEquals("xxxx..", seen(mask, 1, 6));
        assertEquals("xxxxx.", seen(mask, 2, 6));
    }

    @Test
    void candidatesOfOnePromptSeeTheirOwnColumnsOnly() {
        Pass pass = new Pass(1);
        pass.add(0, 1, new int[] {2}, 4, 1);
        pass.add(0, 1, new int[] {1, 3}, 5, 1);
        float[] mask = pass.mask(6);
        assertEquals("x.x.x.", seen(mask, 0, 6));
        assertEquals("xx.x.x", seen(mask, 1, 6));
    }

    @Test
    void aBranchSeesItsTrunkUpToTheForkAndItself() {
        Pass pass = new Pass(1);
        pass.add(0, 0, NONE, 0, 3);
        pass.add(0, 2, NONE, 3, 2);
        float[] mask = pass.mask(5);
        assertEquals("xxx..", seen(mask, 2, 5));
        assertEquals("xx.x.", seen(mask, 3, 5));
        assertEquals("xx.xx", seen(mask, 4, 5));
    }

    @Test
    void tokensLieInThePlacesOfTheirSequencesAndPaddingSeesNothing() {
        Pass pass = new Pass(3);
        pass.add(2, 0, NONE, 0, 2);
        pass.add(0, 0, NONE, 0, 1);
        pass.add(2, 0, NONE, 2, 1);
        assertEquals(4, pass.tokens());
        assertEquals(3, pass.width());
        assertArrayEquals(new long[] {6, 7, 0, 8}, pass.places());
        assertArrayEquals(new long[] {2, 0, 0, 0, 0, 0, 0, 1, 3}, pass.tokensByPlace());
        float[] mask = pass.mask(4);
        for (int row : new int[] {1, 2, 3, 4, 5}) {
            assertEquals("....", seen(mask, row, 4));
        }
    }

    @Test
    void everyHeadOfATokenHasARowOfItsSequencesCache() {
        Pass pass = new Pass(2);
        pass.add(1, 3, NONE, 3, 2);
        pass.add(0, 0, NONE, 0, 1);
        // Rows are numbered [sequences, heads, columns]; a sequence has 2 × 10 of them.
        assertArrayEquals(new long[] {23, 33, 24, 34, 0, 10}, pass.rows(2, 10));
    }
}
