package io.agentprm.lm.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HalfFloatsTest {
    @Test
    void everyHalfSurvivesTheWayToFloatAndBack() {
        for (int bits = 0; bits <= 0xffff; bits++) {
            float value = HalfFloats.fromFloat16((short) bits);
            short back = HalfFloats.toFloat16(value);
            if (Float.isNaN(value)) {
                assertTrue(Float.isNaN(HalfFloats.fromFloat16(back)));
            } else {
                assertEquals((short) bits, back, "of " + value);
            }
        }
    }

    /** The two neighbours of a number are halves; it goes to the nearer one, or to the even one. */
    @Test
    void floatsBetweenTwoHalvesGoToTheNearerOneAndTiesToTheEvenOne() {
        for (int bits = 0; bits < 0x7bff; bits++) {
            float low = HalfFloats.fromFloat16((short) bits);
            float high = HalfFloats.fromFloat16((short) (bits + 1));
            float middle = (low + high) / 2;
            int even = bits % 2 == 0 ? bits : bits + 1;
            assertEquals(even, HalfFloats.toFloat16(middle), "tie at " + middle);
            assertEquals(bits, HalfFloats.toFloat16(Math.nextDown(middle)));
            assertEquals(bits + 1, HalfFloats.toFloat16(Math.nextUp(middle)));
            assertEquals((short) (even | 0x8000), HalfFloats.toFloat16(-middle));
        }
    }

    @Test
    void whatIsTooLargeBecomesInfinite() {
        assertEquals(0x7bff, HalfFloats.toFloat16(Math.nextDown(65_520f)));
        assertEquals(0x7c00, HalfFloats.toFloat16(65_520f));
        assertEquals((short) 0xfc00, HalfFloats.toFloat16(Float.NEGATIVE_INFINITY));
    }
}
