package io.agentprm.engine.onnx;

/**
 * A matrix in blocks of whole numbers with a scale each, in the layout of ONNX Runtime's operator
 * MatMulNBits: w ≈ scale × (q − 2^(bits−1)), blocks of {@link #SIZE} along a row, the last of a row
 * filled up with zeros; of two 4-bit numbers in a byte the first is the lower one.
 *
 * @param values the numbers, [rows, blocks of a row, SIZE × bits / 8]
 * @param scales of the blocks, [rows × blocks of a row]
 */
@SuppressWarnings("ArrayRecordComponent")
record Blocks(byte[] values, float[] scales) {
    static final int SIZE = 32;

    /** Blocks of a row. */
    static int perRow(int columns) {
        return (columns + SIZE - 1) / SIZE;
    }

    /**
     * Rounds a matrix.
     *
     * @param matrix row-major, [rows, columns]
     * @param bits 4 or 8
     */
    static Blocks of(float[] matrix, int rows, int columns, int bits) {
        int perRow = perRow(columns);
        byte[] values = new byte[Math.multiplyExact(rows * perRow, SIZE * bits / Byte.SIZE)];
        float[] scales = new float[rows * perRow];
        for (int row = 0; row < rows; row++) {
            for (int b = 0; b < perRow; b++) {
                int start = row * columns + b * SIZE;
                int length = Math.min(SIZE, columns - b * SIZE);
                int block = row * perRow + b;
                scales[block] = round(matrix, start, length, bits, values, block * SIZE);
            }
        }
        return new Blocks(values, scales);
    }

    /**
     * The number of largest magnitude becomes the lowest whole number, of which there is one more
     * than on the other side.
     *
     * @return the scale
     */
    private static float round(
            float[] matrix, int start, int length, int bits, byte[] values, int place) {
        int zero = 1 << bits - 1;
        float extreme = 0;
        for (int i = start; i < start + length; i++) {
            if (Math.abs(matrix[i]) > Math.abs(extreme)) {
                extreme = matrix[i];
            }
        }
        float scale = extreme == 0 ? 0 : extreme / -zero;
        for (int i = 0; i < SIZE; i++) {
            int whole = i < length && scale != 0 ? Math.round(matrix[start + i] / scale) : 0;
            int number = Math.max(0, Math.min(2 * zero - 1, whole + zero));
            if (bits == Byte.SIZE) {
                values[place + i] = (byte) number;
            } else {
                int at = (place + i) / 2;
                values[at] |= (byte) (i % 2 == 0 ? number : number << 4);
            }
        }
        return scale;
    }
}
