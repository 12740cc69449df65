package io.agentprm.lm.gguf;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Grows by whole numbers and texts, as GGUF writes them. */
final class LittleEndian {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    LittleEndian int8(int value) {
        out.write(value);
        return this;
    }

    LittleEndian int32(int value) {
        return number(value, Integer.BYTES);
    }

    LittleEndian int64(long value) {
        return number(value, Long.BYTES);
    }

    private LittleEndian number(long value, int size) {
        for (int i = 0; i < size; i++) {
            out.write((int) (value >>> Byte.SIZE * i));
        }
        return this;
    }

    /** The length in bytes, and UTF-8. */
    LittleEndian string(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        return int64(utf8.length).bytes(utf8);
    }

    LittleEndian bytes(byte[] value) {
        out.writeBytes(value);
        return this;
    }

    int length() {
        return out.size();
    }

    byte[] toBytes() {
        return out.toByteArray();
    }
}
