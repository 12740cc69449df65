package io.agentprm.engine.onnx;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What {@link OnnxGraph#toBytes} has put into a model file besides the graph. */
final class ModelMetadata {
    /** Ours are far smaller, since weights lie outside of them. */
    private static final long LARGEST = 64L << 20;

    private static final int METADATA = 14;
    private static final int KEY = 1;
    private static final int VARINT = 0;
    private static final int LENGTH_DELIMITED = 2;

    private final Map<String, String> entries = new TreeMap<>();

    private ModelMetadata() {}

    /** Nothing of a file that is cut or of another kind. */
    static Map<String, String> read(Path model) throws IOException {
        if (Files.size(model) > LARGEST) {
            return Map.of();
        }
        ModelMetadata metadata = new ModelMetadata();
        try {
            metadata.readModel(ByteBuffer.wrap(Files.readAllBytes(model)));
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return Map.of();
        }
        return Map.copyOf(metadata.entries);
    }

    private void readModel(ByteBuffer model) {
        while (model.hasRemaining()) {
            long tag = varint(model);
            ByteBuffer value = value(model, tag);
            if (tag >>> 3 == METADATA) {
                readEntry(value);
            }
        }
    }

    private void readEntry(ByteBuffer entry) {
        String key = "";
        String text = "";
        while (entry.hasRemaining()) {
            long tag = varint(entry);
            String read = StandardCharsets.UTF_8.decode(value(entry, tag)).toString();
            if (tag >>> 3 == KEY) {
                key = read;
            } else {
                text = read;
            }
        }
        entries.put(key, text);
    }

    /** A field's bytes; none of a number. */
    private static ByteBuffer value(ByteBuffer message, long tag) {
        long number = varint(message);
        if ((tag & 7) == VARINT) {
            return ByteBuffer.allocate(0);
        }
        if ((tag & 7) != LENGTH_DELIMITED || number < 0 || number > message.remaining()) {
            throw new IllegalArgumentException("no message of texts and numbers");
        }
        ByteBuffer value = message.slice().limit((int) number);
        message.position(message.position() + (int) number);
        return value;
    }

    private static long varint(ByteBuffer message) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte part = message.get();
            value |= (long) (part & 0x7f) << shift;
            if (part >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number of more than 64 bits");
    }
}
