package io.agentprm.core.files;

import io.agentprm.api.IoReasons;
import io.agentprm.api.config.Description;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.config.ConfigException;
import io.agentprm.core.config.ConfigNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The list of what a finished directory holds, with sizes and checksums, in its file {@code
 * manifest.json}. A directory with a manifest is complete; one without is not.
 *
 * @param schema {@code agentprm.manifest/1}
 * @param title what the directory is, such as the name of a stage
 * @param files by path relative to the directory, with forward slashes, sorted
 */
public record Manifest(
        @Description("Schema.") String schema,
        @Description("What the directory is.") String title,
        @Description("Files by path.") Map<String, Entry> files) {
    /** Name of the manifest's own file. */
    public static final String FILE = "manifest.json";

    private static final String SCHEMA = "agentprm.manifest/1";

    /**
     * One file.
     *
     * @param bytes size
     * @param sha256 checksum in hexadecimal
     */
    public record Entry(@Description("Size.") long bytes, @Description("SHA-256.") String sha256) {}

    /** Writes the manifest of a directory as it is now. */
    static void write(Path directory, String title, DurableFiles files) {
        SortedMap<String, Entry> entries = new TreeMap<>();
        for (Path file : list(directory)) {
            entries.put(directory.relativize(file).toString().replace('\\', '/'), entry(file));
        }
        Manifest manifest = new Manifest(SCHEMA, title, entries);
        files.write(directory.resolve(FILE), ConfigBinder.strict().unbind(manifest).toJson());
    }

    /**
     * Checks a finished directory against its manifest.
     *
     * @throws RunException if the manifest is missing or broken, or a file is missing or has
     *     changed; says what to do
     */
    public static Manifest verify(Path directory) {
        Path file = directory.resolve(FILE);
        if (Files.notExists(file)) {
            throw damaged(directory, "it has no " + FILE);
        }
        Manifest manifest;
        try {
            manifest = ConfigBinder.tolerant().bind(ConfigNode.read(file), Manifest.class);
        } catch (ConfigException e) {
            throw damaged(directory, "its manifest is broken: " + e.getMessage());
        }
        if (!manifest.schema().equals(SCHEMA)) {
            throw damaged(directory, "its manifest has the unknown schema " + manifest.schema());
        }
        manifest.files()
                .forEach(
                        (name, expected) -> {
                            Path path = directory.resolve(name);
                            if (Files.notExists(path)) {
                                throw damaged(directory, "its file " + name + " is missing");
                            }
                            if (!entry(path).equals(expected)) {
                                throw damaged(
                                        directory,
                                        "its file "
                                                + name
                                                + " has changed since it was written (size or"
                                                + " checksum differs)");
                            }
                        });
        return manifest;
    }

    private static List<Path> list(Path directory) {
        try (Stream<Path> paths = Files.walk(directory)) {
            return paths.filter(Files::isRegularFile)
                    .filter(path -> !path.equals(directory.resolve(FILE)))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new RunException(directory + ": cannot be listed: " + IoReasons.of(e), e);
        }
    }

    private static Entry entry(Path file) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            long bytes;
            try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
                bytes = in.transferTo(java.io.OutputStream.nullOutputStream());
            }
            return new Entry(bytes, HexFormat.of().formatHex(digest.digest()));
        } catch (IOException e) {
            throw new RunException(file + ": cannot be read: " + IoReasons.of(e), e);
        } catch (NoSuchAlgorithmException e) {
            throw new RunException("this JDK lacks SHA-256", e);
        }
    }

    private static RunException damaged(Path directory, String what) {
        return new RunException(
                directory + " is damaged: " + what + "; delete the directory to make it again");
    }
}
