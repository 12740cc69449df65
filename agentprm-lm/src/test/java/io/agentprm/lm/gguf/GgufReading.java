package io.agentprm.lm.gguf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads GGUF files as their specification has it, and shares nothing with what writes them. */
final class GgufReading {
    /** A tensor: dimensions from the innermost outwards, and its bytes. */
    record Tensor(List<Long> dims, int type, ByteBuffer data) {}

    final Map<String, Object> metadata = new LinkedHashMap<>();
    final Map<String, Tensor> tensors = new LinkedHashMap<>();
    private final ByteBuffer in;

    private GgufReading(ByteBuffer in) {
        this.in = in;
    }

    static GgufReading of(Path file) {
        try {
            ByteBuffer bytes =
                    ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
            return new GgufReading(bytes).read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private GgufReading read() {
        require(in.getInt() == 0x46554747, "magic");
        require(in.getInt() == 3, "version");
        long tensorCount = in.getLong();
        long keyCount = in.getLong();
        for (long i = 0; i < keyCount; i++) {
            String key = string();
            require(metadata.put(key, value(in.getInt())) == null, "key once: " + key);
        }
        Map<String, Tensor> infos = new LinkedHashMap<>();
        List<Long> places = new ArrayList<>();
        for (long i = 0; i < tensorCount; i++) {
            String name = string();
            List<Long> dims = new ArrayList<>();
            int rank = in.getInt();
            for (int d = 0; d < rank; d++) {
                dims.add(in.getLong());
            }
            infos.put(name, new Tensor(dims, in.getInt(), in));
            places.add(in.getLong());
        }
        int start = (in.position() + 31) / 32 * 32;
        int number = 0;
        for (Map.Entry<String, Tensor> info : infos.entrySet()) {
            long place = places.get(number++);
            require(place % 32 == 0, "alignment of " + info.getKey());
            Tensor t = info.getValue();
            int length = Math.toIntExact(length(t));
            ByteBuffer data = in.slice(start + (int) place, length).order(ByteOrder.LITTLE_ENDIAN);
            tensors.put(info.getKey(), new Tensor(t.dims(), t.type(), data));
        }
        return this;
    }

    private static long length(Tensor t) {
        long n = t.dims().stream().reduce(1L, (a, b) -> a * b);
        return switch (t.type()) {
            case 0 -> 4 * n;
            case 1, 30 -> 2 * n;
            case 2 -> n / 32 * 18;
            case 8 -> n / 32 * 34;
            default -> throw new AssertionError("type " + t.type());
        };
    }

    private Object value(int type) {
        return switch (type) {
            case 4, 5 -> in.getInt();
            case 6 -> in.getFloat();
            case 7 -> in.get() == 1;
            case 8 -> string();
            case 9 -> array();
            default -> throw new AssertionError("type " + type);
        };
    }

    private List<Object> array() {
        int type = in.getInt();
        long count = in.getLong();
        List<Object> out = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            out.add(value(type));
        }
        return out;
    }

    private String string() {
        byte[] utf8 = new byte[Math.toIntExact(in.getLong())];
        in.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    /** The numbers of a float32 tensor. */
    float[] floats(String name) {
        Tensor t = tensors.get(name);
        require(t.type() == 0, name + " is float32");
        float[] out = new float[t.data().remaining() / 4];
        t.data().asFloatBuffer().get(out);
        return out;
    }
}
