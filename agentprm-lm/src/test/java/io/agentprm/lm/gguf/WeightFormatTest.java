package io.agentprm.lm.gguf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.checkpoint.HalfFloats;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Blocks against their definition in ggml. */
class WeightFormatTest {
    private static ByteBuffer written(WeightFormat format, float... row) {
        ByteBuffer out =
                ByteBuffer.allocate(Math.toIntExact(format.bytes(row.length)))
                        .order(ByteOrder.LITTLE_ENDIAN);
        format.put(row, out);
        assertFalse(out.hasRemaining(), "as many bytes as declared");
        return out.flip();
    }

    private static float[] row(int seed) {
        Random random = new Random(seed);
        float[] row = new float[64];
        for (int i = 0; i < row.length; i++) {
            row[i] = (float) random.nextGaussian();
        }
        return row;
    }

    @Test
    void eightBitBlocksAreAHalfScaleAndThirtyTwoNumbersOfLargestMagnitude127() {
        float[] row = new float[64];
        row[0] = -127;
        row[1] = 2.5f;
        row[2] = -2.5f;
        row[3] = 2.49f;
        row[63] = 63.5f;
        ByteBuffer out = written(WeightFormat.Q8_0, row);
        assertEquals(0x3c00, out.getShort(0), "scale 1");
        assertEquals(-127, out.get(2));
        assertEquals(3, out.get(3), "halves away from zero");
        assertEquals(-3, out.get(4), "halves away from zero");
        assertEquals(2, out.get(5));
        assertEquals(0x3800, out.getShort(34), "scale 0.5 in a block of its own");
        assertEquals(127, out.get(34 + 2 + 31));
    }

    @Test
    void eightBitsAreOffByHalfAStepAtMost() {
        for (int seed = 0; seed < 20; seed++) {
            float[] row = row(seed);
            ByteBuffer out = written(WeightFormat.Q8_0, row);
            for (int i = 0; i < row.length; i++) {
                float scale = HalfFloats.fromFloat16(out.getShort(i / 32 * 34));
                float back = scale * out.get(i / 32 * 34 + 2 + i % 32);
                // The scale itself is rounded to 11 bits.
                assertEquals(row[i], back, 0.5 * scale + Math.abs(row[i]) * 0x1p-11 + 1e-6);
            }
        }
    }

    @Test
    void fourBitBlocksPutTheirSecondHalfIntoTheUpperBits() {
        float[] row = new float[32];
        row[0] = -8;
        row[1] = 7;
        row[16] = 3;
        row[17] = 7.9f;
        row[31] = 1.5f;
        ByteBuffer out = written(WeightFormat.Q4_0, row);
        assertEquals(0x3c00, out.getShort(0), "scale 1: the extreme -8 over -8");
        assertEquals(11 << 4, out.get(2) & 0xff, "0 below, 3 + 8 above");
        assertEquals(15 | 15 << 4, out.get(3) & 0xff, "7 + 8, and at most 15");
        assertEquals(8 | 8 << 4, out.get(4) & 0xff, "zeros");
        assertEquals(8 | 10 << 4, out.get(17) & 0xff, "1.5 + 8.5 cut off");
    }

    @Test
    void aPositiveExtremeMakesTheScaleNegative() {
        float[] row = new float[32];
        row[5] = 4;
        ByteBuffer out = written(WeightFormat.Q4_0, row);
        assertEquals(-0.5f, HalfFloats.fromFloat16(out.getShort(0)));
        assertEquals(0 | 8 << 4, out.get(2 + 5) & 0xff);
    }

    @Test
    void zerosAreZeros() {
        ByteBuffer eight = written(WeightFormat.Q8_0, new float[32]);
        for (int i = 0; i < 34; i++) {
            assertEquals(0, eight.get(i));
        }
        ByteBuffer four = written(WeightFormat.Q4_0, new float[32]);
        assertEquals(0, HalfFloats.fromFloat16(four.getShort(0)), 0.0);
        assertEquals(8 | 8 << 4, four.get(2) & 0xff);
    }

    @Test
    void whatHalfPrecisionCannotHoldIsRefused() {
        LanguageModelException e =
                assertThrows(
                        LanguageModelException.class, () -> written(WeightFormat.F16, 65_520f));
        assertTrue(e.getMessage().contains("write f32 or bf16"), e.getMessage());
        assertEquals((short) 0x7bff, written(WeightFormat.F16, 65_519f).getShort());
    }

    @Test
    void onlyWholeBlocksFit() {
        assertTrue(WeightFormat.Q8_0.fits(64));
        assertFalse(WeightFormat.Q8_0.fits(48));
        assertTrue(WeightFormat.BF16.fits(48));
    }
}
