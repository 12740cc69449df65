package io.agentprm.engine.onnx;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes one protobuf message, field by field. ONNX models need nothing else of protobuf: numbers,
 * texts, bytes and nested messages.
 */
final class ProtoWriter {
    private static final int VARINT = 0;
    private static final int LENGTH_DELIMITED = 2;
    private static final int FIXED_32 = 5;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private void varint(long value) {
        long left = value;
        while ((left & ~0x7fL) != 0) {
            out.write((int) (left & 0x7f | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
    }

    private void tag(int field, int wireType) {
        varint((long) field << 3 | wireType);
    }

    ProtoWriter number(int field, long value) {
        tag(field, VARINT);
        varint(value);
        return this;
    }

    ProtoWriter float32(int field, float value) {
        tag(field, FIXED_32);
        int bits = Float.floatToIntBits(value);
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            out.write(bits >>> shift & 0xff);
        }
        return this;
    }

    ProtoWriter bytes(int field, byte[] value) {
        tag(field, LENGTH_DELIMITED);
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    ProtoWriter text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    ProtoWriter message(int field, ProtoWriter value) {
        return bytes(field, value.toBytes());
    }

    byte[] toBytes() {
        return out.toByteArray();
    }
}
