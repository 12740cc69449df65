package io.agentprm.lm.checkpoint;

import io.agentprm.api.IoReasons;
import io.agentprm.lm.LanguageModelException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A fingerprint of a directory's content, independent of its place, times and listing order. */
public final class ContentHash {
    private ContentHash() {}

    /**
     * SHA-256 over, for each file in the order of its relative path (with '/'), the path, the
     * length and the content; 64 hexadecimal digits.
     *
     * @throws LanguageModelException if something cannot be read
     */
    public static String of(Path directory) {
        return of(directory, name -> true);
    }

    /** The same over the files whose relative path fulfils a condition. */
    static String of(Path directory, Predicate<String> which) {
        MessageDigest digest = sha256();
        try {
            byte[] buffer = new byte[1 << 16];
            for (String name : names(directory, which)) {
                Path file = directory.resolve(name);
                byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
                digest.update(ByteBuffer.allocate(4).putInt(nameBytes.length).array());
                digest.update(nameBytes);
                digest.update(ByteBuffer.allocate(8).putLong(Files.size(file)).array());
                try (InputStream in = Files.newInputStream(file)) {
                    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                        digest.update(buffer, 0, n);
                    }
                }
            }
        } catch (IOException e) {
            throw new LanguageModelException(
                    "Cannot hash " + directory + ": " + IoReasons.of(e), e);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** The relative paths that fulfil a condition, in order. */
    static List<String> names(Path directory, Predicate<String> which) throws IOException {
        // A walk does not enter a link, which a model's place often is.
        Path root = directory.toRealPath();
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.filter(Files::isRegularFile)
                    .map(p -> root.relativize(p).toString().replace('\\', '/'))
                    .filter(which)
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
