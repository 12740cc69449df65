package io.agentprm.engine.onnx;

import io.agentprm.api.IoReasons;
import io.agentprm.lm.checkpoint.AtomicDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A directory among the system's temporary ones, which is gone when it is closed. Where a system
 * keeps files that are mapped into memory, they go when the process ends.
 */
record PassingDirectory(Path path) implements AutoCloseable {
    private static final String REMEDY =
            ". A model's weights are written there for ONNX Runtime to map into memory; make room,"
                    + " name another place with -Djava.io.tmpdir=DIR, or export the model with"
                    + " ./agentprm export and load that";

    static PassingDirectory create() {
        try {
            return new PassingDirectory(Files.createTempDirectory("agentprm-onnx"));
        } catch (IOException e) {
            throw failed(Path.of(System.getProperty("java.io.tmpdir")), e);
        }
    }

    private static OnnxEngineException failed(Path place, IOException e) {
        return new OnnxEngineException(
                "cannot write below " + place + ": " + IoReasons.of(e) + REMEDY, e);
    }

    /**
     * @throws OnnxEngineException if the content cannot be written
     */
    void fill(AtomicDirectory.Content content) {
        try {
            content.writeTo(path);
        } catch (IOException e) {
            throw failed(path, e);
        }
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.list(path)) {
            files.forEach(PassingDirectory::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        delete(path);
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            file.toFile().deleteOnExit();
        }
    }
}
