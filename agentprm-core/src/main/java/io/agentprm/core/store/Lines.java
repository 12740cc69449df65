package io.agentprm.core.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Lines of bytes; each must end with a newline, so that a file cut short shows. */
final class Lines {
    private final InputStream in;
    private final int maxBytes;
    private final byte[] buffer = new byte[1 << 16];
    private int position;
    private int limit;
    private long number;

    Lines(InputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /** Number of the line that was asked for last, from 1. */
    long number() {
        return number;
    }

    /** The next line without its newline; empty at the end. */
    Optional<byte[]> next() throws IOException {
        number++;
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        while (true) {
            if (position == limit) {
                position = 0;
                limit = Math.max(0, in.read(buffer));
                if (limit == 0) {
                    if (line.size() == 0) {
                        return Optional.empty();
                    }
                    throw new IOException(
                            "the file ends in the middle of this line; if nothing is missing, put a"
                                    + " line break at its end");
                }
            }
            int end = position;
            while (end < limit && buffer[end] != '\n') {
                end++;
            }
            line.write(buffer, position, end - position);
            if (line.size() > maxBytes) {
                throw new IOException(
                        "the line is longer than the limit of " + maxBytes + " bytes");
            }
            position = end;
            if (end < limit) {
                position++;
                return Optional.of(line.toByteArray());
            }
        }
    }
}
