package io.agentprm.lm.gguf;

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
import java.util.List;

/**
 * Writes files of version 3 (the specification is {@code docs/gguf.md} of ggml): magic, version,
 * numbers of tensors and keys; the keys; name, dimensions (innermost first), format and place of
 * each tensor; the tensors, each at a multiple of {@link #ALIGNMENT}. The same model gives the same
 * bytes.
 */
final class GgufFile {
    /** What the format takes where a file does not say otherwise. */
    static final int ALIGNMENT = 32;

    private static final byte[] MAGIC = "GGUF".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 3;
    private static final int CHUNK = 1 << 18;

    private GgufFile() {}

    /**
     * Writes and syncs a new file.
     *
     * @throws LanguageModelException if it cannot be written, or a value is not finite or too large
     *     for its format
     */
    static void write(Path file, Metadata metadata, List<GgufTensor> tensors) {
        try (FileChannel out =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            writeFully(out, ByteBuffer.wrap(header(metadata, tensors)));
            for (GgufTensor tensor : tensors) {
                write(out, tensor);
                writeFully(out, ByteBuffer.allocate(filler(tensor.bytes())));
            }
            out.force(true);
        } catch (IOException e) {
            throw new LanguageModelException("Cannot write " + file + ": " + IoReasons.of(e), e);
        }
    }

    private static byte[] header(Metadata metadata, List<GgufTensor> tensors) {
        LittleEndian header =
                new LittleEndian()
                        .bytes(MAGIC)
                        .int32(VERSION)
                        .int64(tensors.size())
                        .int64(metadata.count())
                        .bytes(metadata.toBytes());
        long place = 0;
        for (GgufTensor tensor : tensors) {
            header.string(tensor.name()).int32(tensor.shape().rank());
            for (int i = tensor.shape().rank() - 1; i >= 0; i--) {
                header.int64(tensor.shape().dim(i));
            }
            header.int32(tensor.format().id()).int64(place);
            place += tensor.bytes() + filler(tensor.bytes());
        }
        return header.bytes(new byte[filler(header.length())]).toBytes();
    }

    /** Bytes from there to the next multiple of the alignment. */
    private static int filler(long position) {
        return (int) Math.floorMod(-position, (long) ALIGNMENT);
    }

    private static void write(FileChannel out, GgufTensor tensor) throws IOException {
        float[] row = new float[tensor.columns()];
        int rowBytes = Math.toIntExact(tensor.format().bytes(row.length));
        ByteBuffer chunk =
                ByteBuffer.allocateDirect(Math.max(CHUNK, rowBytes)).order(ByteOrder.LITTLE_ENDIAN);
        for (long r = 0; r < tensor.rows(); r++) {
            long from = tensor.rowOrder().applyAsLong(r) * row.length;
            tensor.values().read(from, FloatBuffer.wrap(row));
            requireFinite(tensor, r, row);
            if (chunk.remaining() < rowBytes) {
                writeFully(out, chunk.flip());
                chunk.clear();
            }
            put(tensor, row, chunk);
        }
        writeFully(out, chunk.flip());
    }

    private static void put(GgufTensor tensor, float[] row, ByteBuffer chunk) {
        try {
            tensor.format().put(row, chunk);
        } catch (LanguageModelException e) {
            throw new LanguageModelException("tensor " + tensor.name() + ": " + e.getMessage(), e);
        }
    }

    private static void requireFinite(GgufTensor tensor, long number, float[] row) {
        for (int i = 0; i < row.length; i++) {
            if (!Float.isFinite(row[i])) {
                throw new LanguageModelException(
                        "tensor "
                                + tensor.name()
                                + ": value "
                                + i
                                + " of row "
                                + number
                                + " is "
                                + row[i]
                                + "; broken weights are not exported");
            }
        }
    }

    private static void writeFully(FileChannel out, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            out.write(buffer);
        }
    }
}
