package io.agentprm.lm.checkpoint;

/** Conversions between float and the two 16-bit formats of weight files. */
public final class HalfFloats {
    private HalfFloats() {}

    public static float fromBfloat16(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    /** Round to nearest, ties to even; a NaN stays a NaN. */
    public static short toBfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (short) ((bits >>> 16) | 0x40);
        }
        return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
    }

    public static float fromFloat16(short bits) {
        int sign = (bits & 0x8000) << 16;
        int exponent = (bits >>> 10) & 0x1f;
        int mantissa = bits & 0x3ff;
        if (exponent == 0x1f) {
            return Float.intBitsToFloat(sign | 0x7f800000 | (mantissa << 13));
        }
        if (exponent == 0) {
            float magnitude = mantissa * 0x1p-24f;
            return sign == 0 ? magnitude : -magnitude;
        }
        return Float.intBitsToFloat(sign | ((exponent + 112) << 23) | (mantissa << 13));
    }

    /** Round to nearest, ties to even; what is too large becomes infinite, a NaN stays a NaN. */
    public static short toFloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        int sign = bits >>> 16 & 0x8000;
        float magnitude = Math.abs(value);
        if (Float.isNaN(value)) {
            return (short) (sign | 0x7e00);
        }
        if (magnitude < 0x1p-14f) {
            // Below the smallest normal number they are whole multiples of 2^-24.
            return (short) (sign | (int) Math.rint(magnitude * 0x1p24f));
        }
        if (magnitude >= 65_520) {
            return (short) (sign | 0x7c00);
        }
        int positive = bits & 0x7fffffff;
        int rounded = positive + 0xfff + (positive >>> 13 & 1);
        return (short) (sign | (rounded >>> 13) - (112 << 10));
    }
}
