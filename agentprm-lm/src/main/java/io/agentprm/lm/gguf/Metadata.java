package io.agentprm.lm.gguf;

import java.util.List;

/** Keys with their values, in the order in which they are added, as they stand in the file. */
final class Metadata {
    private static final int UINT32 = 4;
    private static final int INT32 = 5;
    private static final int FLOAT32 = 6;
    private static final int BOOL = 7;
    private static final int STRING = 8;
    private static final int ARRAY = 9;

    private final LittleEndian bytes = new LittleEndian();
    private int count;

    private LittleEndian entry(String key, int type) {
        count++;
        return bytes.string(key).int32(type);
    }

    Metadata text(String key, String value) {
        entry(key, STRING).string(value);
        return this;
    }

    /**
     * @param value not negative
     */
    Metadata number(String key, int value) {
        entry(key, UINT32).int32(value);
        return this;
    }

    Metadata real(String key, double value) {
        entry(key, FLOAT32).int32(Float.floatToIntBits((float) value));
        return this;
    }

    Metadata flag(String key, boolean value) {
        entry(key, BOOL).int8(value ? 1 : 0);
        return this;
    }

    Metadata texts(String key, List<String> values) {
        entry(key, ARRAY).int32(STRING).int64(values.size());
        values.forEach(bytes::string);
        return this;
    }

    Metadata numbers(String key, List<Integer> values) {
        entry(key, ARRAY).int32(INT32).int64(values.size());
        values.forEach(bytes::int32);
        return this;
    }

    Metadata reals(String key, List<Double> values) {
        entry(key, ARRAY).int32(FLOAT32).int64(values.size());
        values.forEach(value -> bytes.int32(Float.floatToIntBits(value.floatValue())));
        return this;
    }

    /** How many keys there are. */
    int count() {
        return count;
    }

    byte[] toBytes() {
        return bytes.toBytes();
    }
}
