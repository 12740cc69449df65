package io.agentprm.lm.gguf;

import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.checkpoint.HalfFloats;
import java.nio.ByteBuffer;

/**
 * How the numbers of a tensor are stored: in blocks along a row, little-endian, as ggml defines
 * them ({@code ggml-common.h}, {@code ggml-quants.c}).
 */
enum WeightFormat {
    F32(0, 1, 4) {
        @Override
        void putBlock(float[] row, int start, ByteBuffer out) {
            out.putFloat(row[start]);
        }
    },
    F16(1, 1, 2) {
        @Override
        void putBlock(float[] row, int start, ByteBuffer out) {
            out.putShort(half(row[start]));
        }
    },
    /**
     * A scale d and 32 numbers q of 4 bits, w ≈ d × (q − 8): d is the number of largest magnitude
     * over −8, q = ⌊w/d + 8.5⌋, at most 15. Byte j holds number j below and number j + 16 above.
     */
    Q4_0(2, 32, 18) {
        @Override
        void putBlock(float[] row, int start, ByteBuffer out) {
            float extreme = 0;
            for (int i = start; i < start + 32; i++) {
                if (Math.abs(row[i]) > Math.abs(extreme)) {
                    extreme = row[i];
                }
            }
            float scale = extreme / -8;
            out.putShort(half(scale));
            float inverse = inverse(scale);
            for (int i = start; i < start + 16; i++) {
                out.put((byte) (nibble(row[i] * inverse) | nibble(row[i + 16] * inverse) << 4));
            }
        }

        private int nibble(float value) {
            return Math.min(15, (int) (value + 8.5f));
        }
    },
    /**
     * A scale d and 32 numbers q of 8 bits, w ≈ d × q: d is the largest magnitude over 127, q = w/d
     * rounded to nearest, halves away from zero.
     */
    Q8_0(8, 32, 34) {
        @Override
        void putBlock(float[] row, int start, ByteBuffer out) {
            float most = 0;
            for (int i = start; i < start + 32; i++) {
                most = Math.max(most, Math.abs(row[i]));
            }
            float scale = most / 127;
            out.putShort(half(scale));
            float inverse = inverse(scale);
            for (int i = start; i < start + 32; i++) {
                float value = row[i] * inverse;
                out.put((byte) Math.copySign(Math.floor(Math.abs((double) value) + 0.5), value));
            }
        }
    },
    BF16(30, 1, 2) {
        @Override
        void putBlock(float[] row, int start, ByteBuffer out) {
            out.putShort(HalfFloats.toBfloat16(row[start]));
        }
    };

    private final int id;
    private final int blockLength;
    private final int blockBytes;

    WeightFormat(int id, int blockLength, int blockBytes) {
        this.id = id;
        this.blockLength = blockLength;
        this.blockBytes = blockBytes;
    }

    /** The number of the format in the file. */
    int id() {
        return id;
    }

    /** Whether rows of this length can be stored: they must consist of whole blocks. */
    boolean fits(long columns) {
        return columns % blockLength == 0;
    }

    /** Bytes of so many numbers in whole blocks. */
    long bytes(long numbers) {
        return numbers / blockLength * blockBytes;
    }

    /**
     * Appends a row.
     *
     * @param row finite numbers, in whole blocks
     * @throws LanguageModelException if a number is too large for the format
     */
    void put(float[] row, ByteBuffer out) {
        for (int start = 0; start < row.length; start += blockLength) {
            putBlock(row, start, out);
        }
    }

    abstract void putBlock(float[] row, int start, ByteBuffer out);

    private static float inverse(float scale) {
        return scale == 0 ? 0 : 1 / scale;
    }

    private static short half(float value) {
        short half = HalfFloats.toFloat16(value);
        if (!Float.isFinite(HalfFloats.fromFloat16(half))) {
            throw new LanguageModelException(
                    value + " is too large for a half-precision number; write f32 or bf16");
        }
        return half;
    }
}
