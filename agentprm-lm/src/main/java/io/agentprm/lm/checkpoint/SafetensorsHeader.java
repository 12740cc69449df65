package io.agentprm.lm.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.lm.LanguageModelException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The header of a safetensors file, read with every length checked against the file before anything
 * is allocated for it. Together the tensors must cover the data exactly: no overlap, no hole, no
 * trailing byte.
 */
record SafetensorsHeader(
        long dataStart, SortedMap<String, Entry> tensors, Map<String, String> metadata) {

    /** The limit of the reference implementation. */
    private static final long MAX_HEADER_BYTES = 100_000_000;

    private static final String LFS_POINTER = "version https://git-lfs";
    private static final Set<String> KEYS = Set.of("dtype", "shape", "data_offsets");

    /** One tensor; offsets are relative to the start of the data. */
    record Entry(ElementType type, TensorShape shape, long begin, long end) {}

    static SafetensorsHeader read(Path path, FileChannel channel) throws IOException {
        long fileSize = channel.size();
        rejectLfsPointer(path, channel, fileSize);
        if (fileSize < 8) {
            throw broken(path, "has " + fileSize + " bytes, too few for a header");
        }
        long length = readFully(channel, 0, 8).order(ByteOrder.LITTLE_ENDIAN).getLong();
        if (length < 2 || length > fileSize - 8) {
            throw broken(
                    path,
                    "the header claims "
                            + Long.toUnsignedString(length)
                            + " bytes, the file has "
                            + fileSize);
        }
        if (length > MAX_HEADER_BYTES) {
            throw broken(path, "the header claims " + length + " bytes, limit " + MAX_HEADER_BYTES);
        }
        byte[] json = readFully(channel, 8, Math.toIntExact(length)).array();
        JsonNode root = Json.parseObject(json, path);
        long dataSize = fileSize - 8 - length;
        SortedMap<String, Entry> tensors = new TreeMap<>();
        Map<String, String> metadata = new TreeMap<>();
        for (Map.Entry<String, JsonNode> field : root.properties()) {
            if (field.getKey().equals("__metadata__")) {
                for (Map.Entry<String, JsonNode> m : field.getValue().properties()) {
                    metadata.put(m.getKey(), m.getValue().asText());
                }
            } else {
                tensors.put(
                        field.getKey(), entry(path, field.getKey(), field.getValue(), dataSize));
            }
        }
        requireExactCover(path, tensors, dataSize);
        return new SafetensorsHeader(8 + length, tensors, Map.copyOf(metadata));
    }

    private static Entry entry(Path path, String name, JsonNode node, long dataSize) {
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            if (!KEYS.contains(field.getKey())) {
                throw broken(path, "tensor " + name + ": unknown key " + field.getKey());
            }
        }
        String dtype = node.path("dtype").asText();
        ElementType type =
                ElementType.of(dtype)
                        .orElseThrow(
                                () ->
                                        broken(
                                                path,
                                                "tensor "
                                                        + name
                                                        + ": unknown dtype '"
                                                        + dtype
                                                        + "'; known are "
                                                        + List.of(ElementType.values())));
        List<Long> dims = longs(path, name, "shape", node.path("shape"));
        List<Long> offsets = longs(path, name, "data_offsets", node.path("data_offsets"));
        if (offsets.size() != 2) {
            throw broken(path, "tensor " + name + ": data_offsets needs two numbers");
        }
        long begin = offsets.get(0);
        long end = offsets.get(1);
        if (begin > end || end > dataSize) {
            throw broken(
                    path,
                    String.format(
                            Locale.ROOT,
                            "tensor %s: data_offsets [%d, %d] outside of the %d bytes of data",
                            name,
                            begin,
                            end,
                            dataSize));
        }
        TensorShape shape = new TensorShape(dims);
        requireSize(path, name, type, shape, end - begin);
        return new Entry(type, shape, begin, end);
    }

    private static void requireSize(
            Path path, String name, ElementType type, TensorShape shape, long bytes) {
        long needed;
        try {
            needed = Math.multiplyExact(shape.elements(), type.bytes());
        } catch (ArithmeticException e) {
            throw broken(path, "tensor " + name + ": the size of shape " + shape + " overflows");
        }
        if (needed != bytes) {
            throw broken(
                    path,
                    String.format(
                            Locale.ROOT,
                            "tensor %s: shape %s of %s needs %d bytes, data_offsets give %d",
                            name,
                            shape,
                            type,
                            needed,
                            bytes));
        }
    }

    private static void requireExactCover(
            Path path, SortedMap<String, Entry> tensors, long dataSize) {
        List<Map.Entry<String, Entry>> byOffset = new ArrayList<>(tensors.entrySet());
        byOffset.sort(
                Comparator.comparingLong((Map.Entry<String, Entry> e) -> e.getValue().begin())
                        .thenComparingLong(e -> e.getValue().end()));
        long covered = 0;
        String previous = "";
        for (Map.Entry<String, Entry> e : byOffset) {
            long begin = e.getValue().begin();
            if (begin < covered) {
                throw broken(path, "tensors " + previous + " and " + e.getKey() + " overlap");
            }
            if (begin > covered) {
                throw broken(
                        path,
                        (begin - covered) + " unused bytes of data before tensor " + e.getKey());
            }
            covered = e.getValue().end();
            previous = e.getKey();
        }
        if (covered != dataSize) {
            throw broken(path, (dataSize - covered) + " trailing bytes after the last tensor");
        }
    }

    private static List<Long> longs(Path path, String name, String key, JsonNode node) {
        if (!node.isArray()) {
            throw broken(path, "tensor " + name + ": " + key + " is not a list");
        }
        List<Long> out = new ArrayList<>();
        for (JsonNode n : node) {
            if (!n.isIntegralNumber() || !n.canConvertToLong() || n.asLong() < 0) {
                throw broken(path, "tensor " + name + ": " + key + " holds " + n);
            }
            out.add(n.asLong());
        }
        return out;
    }

    private static void rejectLfsPointer(Path path, FileChannel channel, long fileSize)
            throws IOException {
        int n = (int) Math.min(fileSize, LFS_POINTER.length());
        String start = new String(readFully(channel, 0, n).array(), StandardCharsets.US_ASCII);
        if (start.equals(LFS_POINTER)) {
            throw new LanguageModelException(
                    path
                            + " is a Git LFS pointer, not weights; fetch the file itself with"
                            + " 'git lfs pull' in its repository");
        }
    }

    private static ByteBuffer readFully(FileChannel channel, long position, int length)
            throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, position + buffer.position()) < 0) {
                throw new IOException("the file ended early");
            }
        }
        return buffer.flip();
    }

    private static LanguageModelException broken(Path path, String what) {
        return new LanguageModelException(
                path + " is not a valid safetensors file: " + what + "; fetch or write it again");
    }
}
