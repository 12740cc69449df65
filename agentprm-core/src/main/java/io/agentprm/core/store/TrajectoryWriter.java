package io.agentprm.core.store;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.IoReasons;
import io.agentprm.core.RunException;
import io.agentprm.core.json.Json;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPOutputStream;

/** Writes items one by one. Not thread-safe. */
public final class TrajectoryWriter<T> implements AutoCloseable {
    private final ObjectMapper mapper = Json.mapper();
    private final Path file;
    private final Codec<T> codec;
    private final int maxLineBytes;
    private final OutputStream out;
    private long line;

    private TrajectoryWriter(Path file, Codec<T> codec, int maxLineBytes, OutputStream out) {
        this.file = file;
        this.codec = codec;
        this.maxLineBytes = maxLineBytes;
        this.out = new BufferedOutputStream(out, 1 << 16);
    }

    /** Starts a file. */
    static <T> TrajectoryWriter<T> of(Path file, String schema, Codec<T> codec, int maxLineBytes) {
        // Java's gzip header carries no time and no name, so equal items give equal bytes.
        TrajectoryWriter<T> writer =
                new TrajectoryWriter<>(file, codec, maxLineBytes, opened(file, true));
        writer.writeLine(
                writer.mapper.createObjectNode().put("schema", schema).put("version", "1.0"));
        return writer;
    }

    /** Goes on at the end of a whole file; what is added is a gzip stream of its own. */
    static <T> TrajectoryWriter<T> after(
            Path file, boolean compressed, Codec<T> codec, int maxLineBytes) {
        return new TrajectoryWriter<>(
                file,
                codec,
                maxLineBytes,
                opened(file, compressed, StandardOpenOption.WRITE, StandardOpenOption.APPEND));
    }

    private static OutputStream opened(Path file, boolean compressed, OpenOption... options) {
        try {
            OutputStream raw = Files.newOutputStream(file, options);
            return compressed ? new GZIPOutputStream(raw, 1 << 16) : raw;
        } catch (IOException e) {
            throw new StoreException(file, 0, "cannot be written: " + IoReasons.of(e), e);
        }
    }

    /**
     * Appends one item.
     *
     * @throws StoreException if it holds a number that is not finite, or is too long
     */
    public void write(T item) {
        ObjectNode node;
        try {
            node = codec.encode(item);
        } catch (RunException e) {
            throw new StoreException(file, line + 1, "cannot be written: " + e.getMessage(), e);
        }
        writeLine(node);
    }

    private void writeLine(ObjectNode node) {
        line++;
        try {
            byte[] bytes = mapper.writeValueAsBytes(node);
            if (bytes.length > maxLineBytes) {
                throw new StoreException(
                        file,
                        line,
                        "the item takes "
                                + bytes.length
                                + " bytes, more than the limit of "
                                + maxLineBytes
                                + "; raise the limit for writing and reading");
            }
            out.write(bytes);
            out.write('\n');
        } catch (IOException e) {
            throw new StoreException(file, line, "cannot be written: " + IoReasons.of(e), e);
        }
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new StoreException(file, line, "cannot be completed: " + IoReasons.of(e), e);
        }
    }
}
