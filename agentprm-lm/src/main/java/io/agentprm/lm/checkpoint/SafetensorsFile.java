package io.agentprm.lm.checkpoint;

import io.agentprm.api.IoReasons;
import io.agentprm.lm.LanguageModelException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * One safetensors file: an 8-byte little-endian header length, a JSON header and raw values. The
 * header is checked in full when the file is opened (see {@link SafetensorsHeader}); tensors are
 * mapped one by one, so the file may be larger than 2 GiB.
 */
public final class SafetensorsFile implements Tensors {
    private static final int CHUNK_BYTES = 1 << 15;

    private final Path path;
    private final FileChannel channel;
    private final SafetensorsHeader header;

    /** One for all reading. Guarded by itself. */
    private final ByteBuffer chunk =
            ByteBuffer.allocate(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    private SafetensorsFile(Path path, FileChannel channel, SafetensorsHeader header) {
        this.path = path;
        this.channel = channel;
        this.header = header;
    }

    /**
     * @throws LanguageModelException if the file cannot be read or its header is wrong; the message
     *     says what is wrong with which tensor
     */
    public static SafetensorsFile open(Path path) {
        try {
            FileChannel channel = FileChannel.open(path);
            try {
                return new SafetensorsFile(path, channel, SafetensorsHeader.read(path, channel));
            } catch (IOException | LanguageModelException e) {
                channel.close();
                throw e;
            }
        } catch (NoSuchFileException e) {
            throw new LanguageModelException("No such weight file: " + path, e);
        } catch (IOException e) {
            throw new LanguageModelException("Cannot read " + path + ": " + IoReasons.of(e), e);
        }
    }

    public Path path() {
        return path;
    }

    /** The text entries of the header's {@code __metadata__}. */
    public Map<String, String> metadata() {
        return header.metadata();
    }

    @Override
    public Set<String> names() {
        return Collections.unmodifiableSet(header.tensors().keySet());
    }

    @Override
    public TensorShape shape(String name) {
        return entry(name).shape();
    }

    @Override
    public ElementType elementType(String name) {
        return entry(name).type();
    }

    @Override
    public ByteBuffer bytes(String name) {
        SafetensorsHeader.Entry entry = entry(name);
        long length = entry.end() - entry.begin();
        if (length > Integer.MAX_VALUE) {
            throw new LanguageModelException(
                    path + ": tensor " + name + " has " + length + " bytes; 2 GiB is the limit");
        }
        try {
            return channel.map(
                            FileChannel.MapMode.READ_ONLY,
                            header.dataStart() + entry.begin(),
                            length)
                    .order(ByteOrder.LITTLE_ENDIAN);
        } catch (IOException e) {
            throw new LanguageModelException(
                    "Cannot map tensor " + name + " of " + path + ": " + IoReasons.of(e), e);
        }
    }

    /**
     * Through a small buffer: mapped pages would count as this process's memory until collected.
     */
    @Override
    public void read(String name, long from, FloatBuffer target) {
        SafetensorsHeader.Entry entry = entry(name);
        ElementType type = entry.type();
        long begin = entry.begin() + from * type.bytes();
        long end = begin + (long) target.remaining() * type.bytes();
        if (!type.isFloat() || from < 0 || end > entry.end()) {
            throw new LanguageModelException(
                    String.format(
                            Locale.ROOT,
                            "%s: tensor %s holds %s %s; %d floats from %d on can't be read",
                            path,
                            name,
                            entry.shape(),
                            type,
                            target.remaining(),
                            from));
        }
        try {
            copy(begin, end, type, target);
        } catch (IOException e) {
            throw new LanguageModelException(
                    "Cannot read tensor " + name + " of " + path + ": " + IoReasons.of(e), e);
        }
    }

    private void copy(long begin, long end, ElementType type, FloatBuffer target)
            throws IOException {
        synchronized (chunk) {
            for (long at = begin; at < end; at += chunk.limit()) {
                chunk.clear().limit((int) Math.min(chunk.capacity(), end - at));
                readFully(chunk, header.dataStart() + at);
                type.putFloats(chunk.flip(), target);
            }
        }
    }

    private void readFully(ByteBuffer target, long position) throws IOException {
        while (target.hasRemaining()) {
            if (channel.read(target, position + target.position()) < 0) {
                throw new EOFException("the file has become shorter");
            }
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new LanguageModelException("Cannot close " + path + ": " + IoReasons.of(e), e);
        }
    }

    private SafetensorsHeader.Entry entry(String name) {
        SafetensorsHeader.Entry entry = header.tensors().get(name);
        if (entry == null) {
            throw new LanguageModelException(path + ": no tensor named " + name);
        }
        return entry;
    }
}
