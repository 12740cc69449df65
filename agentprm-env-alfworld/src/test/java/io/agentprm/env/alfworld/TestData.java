package io.agentprm.env.alfworld;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.junit.jupiter.api.Assumptions;

/** Reference data beside the checkout; tests that need it are skipped where it is absent. */
public final class TestData {
    private static final String FOLDER = "shared/alfworld";

    private TestData() {}

    /** A file of the reference data; skips the test if there is none. */
    public static Path file(String name) {
        Optional<Path> file = shared().map(folder -> folder.resolve(name)).filter(Files::exists);
        Assumptions.assumeTrue(
                file.isPresent(), "no " + FOLDER + "/" + name + " beside the checkout");
        return file.orElseThrow();
    }

    /**
     * A folder with {@code json_2.1.1/<split>} of an archive, unpacked once under {@code target};
     * skips the test if the archive is absent.
     *
     * @param archive such as {@code json_2.1.1-valid_unseen.tar.xz}
     */
    public static synchronized Path unpacked(String archive) {
        Path source = file(archive);
        Path target =
                Path.of("target", "alfworld-data", archive.startsWith("old") ? "old" : "current");
        Path marker = target.resolve(archive + ".complete");
        if (!Files.exists(marker)) {
            try (InputStream raw = new BufferedInputStream(Files.newInputStream(source));
                    TarArchiveInputStream tar =
                            new TarArchiveInputStream(new XZCompressorInputStream(raw))) {
                for (TarArchiveEntry entry = tar.getNextEntry();
                        entry != null;
                        entry = tar.getNextEntry()) {
                    Path file = target.resolve(entry.getName()).normalize();
                    if (entry.isFile() && file.startsWith(target)) {
                        Files.createDirectories(file.getParent());
                        Files.copy(tar, file, StandardCopyOption.REPLACE_EXISTING);
                    }
                }
                Files.createFile(marker);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return target;
    }

    /** The unpacked games of a split. */
    public static Path split(String split) {
        return unpacked("json_2.1.1-" + split + ".tar.xz");
    }

    /** The unpacked games of all splits that recordings use. */
    public static Path allSplits() {
        split("train");
        split("valid_seen");
        split("valid_train");
        return split("valid_unseen");
    }

    private static Optional<Path> shared() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isDirectory(at.resolve(FOLDER))) {
                return Optional.of(at.resolve(FOLDER));
            }
        }
        return Optional.empty();
    }
}
