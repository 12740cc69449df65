package io.agentprm.lm.checkpoint;

import io.agentprm.api.IoReasons;
import io.agentprm.lm.LanguageModelException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Set;

/**
 * One safetensors file: an 8-byte little-endian header length, a JSON header and raw values. The
 * header is checked in full when the file is opened (see {@link SafetensorsHeader}); tensors are
 * mapped one by one, so the file may be larger than 2 GiB.
 */
public final class SafetensorsFile implements Tensors {
    private final Path path;
    private final FileChannel channel;
    private final SafetensorsHeader header;

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
