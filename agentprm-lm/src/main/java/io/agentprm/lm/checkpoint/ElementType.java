package io.agentprm.lm.checkpoint;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import java.util.Optional;

/** Element types of safetensors files. Only the first three can be read as floats. */
public enum ElementType {
    F32(4, "float32"),
    /** The upper half of an F32. */
    BF16(2, "bfloat16"),
    /** IEEE 754 half precision. */
    F16(2, "float16"),
    F64(8, "float64"),
    I64(8, "int64"),
    I32(4, "int32"),
    I16(2, "int16"),
    I8(1, "int8"),
    U8(1, "uint8"),
    BOOL(1, "bool");

    private final int bytes;
    private final String torchName;

    ElementType(int bytes, String torchName) {
        this.bytes = bytes;
        this.torchName = torchName;
    }

    /** Bytes per element. */
    public int bytes() {
        return bytes;
    }

    /** Whether values can be read as floats. */
    boolean isFloat() {
        return this == F32 || this == BF16 || this == F16;
    }

    /** Converts all bytes, which hold values of this type, to floats. */
    void putFloats(ByteBuffer little, FloatBuffer target) {
        if (this == F32) {
            target.put(little.asFloatBuffer());
            return;
        }
        ShortBuffer halves = little.asShortBuffer();
        while (halves.hasRemaining()) {
            short half = halves.get();
            target.put(this == BF16 ? HalfFloats.fromBfloat16(half) : HalfFloats.fromFloat16(half));
        }
    }

    /** Converts all floats to bytes of this type, which is {@link #F32} or {@link #BF16}. */
    void putBytes(FloatBuffer values, ByteBuffer little) {
        if (this == F32) {
            int count = values.remaining();
            little.asFloatBuffer().put(values);
            little.position(little.position() + count * bytes);
            return;
        }
        while (values.hasRemaining()) {
            little.putShort(HalfFloats.toBfloat16(values.get()));
        }
    }

    /** The name of config.json's {@code torch_dtype}. */
    String torchName() {
        return torchName;
    }

    static Optional<ElementType> of(String name) {
        return Arrays.stream(values()).filter(t -> t.name().equals(name)).findFirst();
    }
}
