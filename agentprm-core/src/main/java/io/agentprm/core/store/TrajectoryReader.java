package io.agentprm.core.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.agentprm.api.IoReasons;
import io.agentprm.core.RunException;
import io.agentprm.core.json.Fields;
import io.agentprm.core.json.Json;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** Reads items one by one. Not thread-safe. */
public final class TrajectoryReader<T> implements AutoCloseable {
    private static final int MAJOR = 1;

    private final ObjectMapper mapper = Json.mapper();
    private final Path file;
    private final Codec<T> codec;
    private final OnCorrupt onCorrupt;
    private final InputStream stream;
    private final Lines lines;
    private final List<String> skipped = new ArrayList<>();
    private boolean ended;

    TrajectoryReader(
            Path file, String schema, Codec<T> codec, int maxLineBytes, OnCorrupt onCorrupt) {
        this.file = file;
        this.codec = codec;
        this.onCorrupt = onCorrupt;
        try {
            this.stream = open(file);
        } catch (NoSuchFileException e) {
            throw new StoreException(file, 0, "there is no such file", e);
        } catch (IOException e) {
            throw new StoreException(file, 0, "cannot be read: " + IoReasons.of(e), e);
        }
        this.lines = new Lines(stream, maxLineBytes);
        try {
            header(schema);
        } catch (StoreException e) {
            close();
            throw e;
        }
    }

    private static InputStream open(Path file) throws IOException {
        InputStream raw = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
        try {
            raw.mark(2);
            boolean zipped = startsAsGzip(raw);
            raw.reset();
            return zipped
                    ? new BufferedInputStream(new GZIPInputStream(raw, 1 << 16), 1 << 16)
                    : raw;
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    private static boolean startsAsGzip(InputStream raw) throws IOException {
        return raw.read() == 0x1f && raw.read() == 0x8b;
    }

    /** Whether a file is compressed, whatever its name says. */
    static boolean isCompressed(Path file) {
        try (InputStream raw = Files.newInputStream(file)) {
            return startsAsGzip(raw);
        } catch (IOException e) {
            throw new StoreException(file, 0, "cannot be read: " + IoReasons.of(e), e);
        }
    }

    /** A file that is broken here has no items; one of another kind is an error in any case. */
    private void header(String schema) {
        Fields fields;
        String found;
        String version;
        try {
            byte[] line = lines.next().orElseThrow(() -> new RunException("the file is empty"));
            fields = Fields.of(parse(line), "");
            found = fields.text("schema");
            version = fields.text("version");
        } catch (IOException | RunException e) {
            corrupt(e);
            ended = true;
            return;
        }
        if (!found.equals(schema)) {
            throw new StoreException(
                    file, 1, "holds " + found + ", but " + schema + " is expected");
        }
        if (!version.matches(MAJOR + "\\.[0-9]+")) {
            throw new StoreException(
                    file,
                    1,
                    "has version "
                            + version
                            + " of "
                            + schema
                            + ", but this program reads "
                            + MAJOR
                            + ".x; use a newer release");
        }
    }

    /**
     * The next item; empty at the end.
     *
     * @throws StoreException if a line is corrupt and the reader shall fail
     */
    public Optional<T> next() {
        while (!ended) {
            Optional<byte[]> line;
            try {
                line = lines.next();
            } catch (IOException e) {
                // What follows a broken stream cannot be found again: this is the end of the file.
                corrupt(e);
                ended = true;
                continue;
            }
            if (line.isEmpty()) {
                ended = true;
                continue;
            }
            try {
                return Optional.of(codec.decode(Fields.of(parse(line.get()), "")));
            } catch (IOException | RunException | IllegalArgumentException e) {
                corrupt(e);
            }
        }
        return Optional.empty();
    }

    /** One message for each line left out so far, with its place and cause. */
    public List<String> skipped() {
        return List.copyOf(skipped);
    }

    private void corrupt(Exception cause) {
        StoreException error =
                new StoreException(file, lines.number(), "is corrupt: " + message(cause), cause);
        if (onCorrupt == OnCorrupt.FAIL) {
            throw error;
        }
        skipped.add(error.getMessage());
    }

    private JsonNode parse(byte[] line) throws IOException {
        String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
        return mapper.readTree(text);
    }

    private static String message(Exception e) {
        if (e instanceof JsonProcessingException json) {
            return json.getOriginalMessage()
                    + (json.getLocation() == null
                            ? ""
                            : " (column " + json.getLocation().getColumnNr() + ")");
        }
        if (e instanceof IOException io) {
            return IoReasons.of(io);
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    @Override
    public void close() {
        try {
            stream.close();
        } catch (IOException e) {
            throw new StoreException(file, 0, "cannot be closed: " + IoReasons.of(e), e);
        }
    }
}
