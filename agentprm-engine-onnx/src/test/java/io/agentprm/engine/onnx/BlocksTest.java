package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlocksTest {
    private static float value(Blocks blocks, int perRow, int row, int column, int bits) {
        int block = row * perRow + column / Blocks.SIZE;
        int place = block * Blocks.SIZE + column % Blocks.SIZE;
        int number =
                bits == 8
                        ? blocks.values()[place] & 0xff
                        : blocks.values()[place / 2] >> 4 * (place % 2) & 0xf;
        return blocks.scales()[block] * (number - (1 << bits - 1));
    }

    @ParameterizedTest
    @CsvSource({"8, 64", "8, 48", "8, 5", "4, 64", "4, 48", "4, 5"})
    void noNumberIsOffByMoreThanAStep(int bits, int columns) {
        int rows = 7;
        Random random = new Random(bits + columns);
        float[] matrix = new float[rows * columns];
        for (int i = 0; i < matrix.length; i++) {
            matrix[i] = (float) random.nextGaussian();
        }
        Blocks blocks = Blocks.of(matrix, rows, columns, bits);
        int perRow = Blocks.perRow(columns);
        assertEquals(rows * perRow, blocks.scales().length);
        assertEquals(rows * perRow * Blocks.SIZE * bits / 8, blocks.values().length);
        double worst = 0;
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                float scale = blocks.scales()[row * perRow + column / Blocks.SIZE];
                double off =
                        value(blocks, perRow, row, column, bits) - matrix[row * columns + column];
                worst = Math.max(worst, Math.abs(off / scale));
            }
        }
        // Half a step, and on the side with one number fewer up to a whole one.
        assertTrue(worst <= 1.001, "off by " + worst + " steps");
        assertTrue(worst > 0.3, "nothing was rounded");
    }

    @ParameterizedTest
    @CsvSource({"8", "4"})
    void theLargestNumberOfABlockIsExact(int bits) {
        float[] matrix = new float[Blocks.SIZE];
        matrix[3] = 0.75f;
        matrix[9] = -2.5f;
        Blocks blocks = Blocks.of(matrix, 1, Blocks.SIZE, bits);
        assertEquals(-2.5f, value(blocks, 1, 0, 9, bits), 1e-6f);
        assertEquals(0f, value(blocks, 1, 0, 0, bits));
    }

    @ParameterizedTest
    @CsvSource({"8", "4"})
    void aBlockOfZerosStaysZero(int bits) {
        Blocks blocks = Blocks.of(new float[40], 1, 40, bits);
        for (int column = 0; column < 40; column++) {
            assertEquals(0f, value(blocks, 2, 0, column, bits));
        }
    }
}
