package io.agentprm.lm.checkpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.IoReasons;
import io.agentprm.lm.LanguageModelException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Writes safetensors files: tensors in alphabetical order, header padded to 8 bytes with spaces.
 * The same tensors give the same bytes. Values pass in small pieces.
 */
public final class SafetensorsWriter {
    private static final int CHUNK_FLOATS = 1 << 18;

    private SafetensorsWriter() {}

    /**
     * Writes and syncs a file, replacing one that is there. Use {@link AtomicDirectory} around it
     * where a half-written file must never be seen.
     *
     * @param type {@link ElementType#F32}, or {@link ElementType#BF16} (rounded to nearest even)
     * @throws LanguageModelException if the file cannot be written, two tensors have one name, or a
     *     value is not finite: broken weights are never stored
     */
    public static void write(Path file, Collection<TensorData> tensors, ElementType type) {
        if (type != ElementType.F32 && type != ElementType.BF16) {
            throw new IllegalArgumentException("F32 and BF16 can be written, not " + type);
        }
        List<TensorData> sorted =
                tensors.stream().sorted(Comparator.comparing(TensorData::name)).toList();
        byte[] header = header(file, sorted, type);
        try (FileChannel out =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer chunk =
                    ByteBuffer.allocateDirect(CHUNK_FLOATS * type.bytes())
                            .order(ByteOrder.LITTLE_ENDIAN);
            chunk.putLong(header.length).flip();
            writeFully(out, chunk);
            writeFully(out, ByteBuffer.wrap(header));
            FloatBuffer values = FloatBuffer.allocate(CHUNK_FLOATS);
            for (TensorData tensor : sorted) {
                writeValues(out, file, tensor, type, values, chunk);
            }
            out.force(true);
        } catch (IOException e) {
            throw new LanguageModelException("Cannot write " + file + ": " + IoReasons.of(e), e);
        }
    }

    private static byte[] header(Path file, List<TensorData> sorted, ElementType type) {
        ObjectNode root = Json.MAPPER.createObjectNode();
        root.putObject("__metadata__").put("format", "pt");
        long offset = 0;
        for (TensorData tensor : sorted) {
            if (root.has(tensor.name())) {
                throw new LanguageModelException(
                        "Cannot write " + file + ": two tensors are named " + tensor.name());
            }
            long end = offset + tensor.shape().elements() * type.bytes();
            ObjectNode entry = root.putObject(tensor.name());
            entry.put("dtype", type.name());
            tensor.shape().dims().forEach(entry.putArray("shape")::add);
            entry.putArray("data_offsets").add(offset).add(end);
            offset = end;
        }
        byte[] json = root.toString().getBytes(StandardCharsets.UTF_8);
        byte[] padded = Arrays.copyOf(json, (json.length + 7) / 8 * 8);
        Arrays.fill(padded, json.length, padded.length, (byte) ' ');
        return padded;
    }

    private static void writeValues(
            FileChannel out,
            Path file,
            TensorData tensor,
            ElementType type,
            FloatBuffer values,
            ByteBuffer chunk)
            throws IOException {
        long elements = tensor.shape().elements();
        for (long from = 0; from < elements; from += values.limit()) {
            values.clear().limit((int) Math.min(CHUNK_FLOATS, elements - from));
            tensor.values().read(from, values);
            requireFinite(file, tensor, from, values.flip());
            type.putBytes(values, chunk.clear());
            writeFully(out, chunk.flip());
        }
    }

    private static void requireFinite(
            Path file, TensorData tensor, long first, FloatBuffer values) {
        for (int i = 0; i < values.limit(); i++) {
            if (!Float.isFinite(values.get(i))) {
                throw new LanguageModelException(
                        String.format(
                                Locale.ROOT,
                                "Cannot write %s: value %d of tensor %s is %s",
                                file,
                                first + i,
                                tensor.name(),
                                values.get(i)));
            }
        }
    }

    private static void writeFully(FileChannel out, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            out.write(buffer);
        }
    }
}
