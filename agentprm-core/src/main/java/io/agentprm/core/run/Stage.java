package io.agentprm.core.run;

import io.agentprm.api.IoReasons;
import io.agentprm.core.RunException;
import io.agentprm.core.files.DurableFiles;
import io.agentprm.core.files.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A step of a run that is done once: its result is a directory that appears whole, with a manifest,
 * or not at all.
 */
public final class Stage {
    static final String WORK = ".work-";
    static final String CHECKPOINTS = ".checkpoints-";

    /** Writes the files of a stage. */
    @FunctionalInterface
    public interface Writer {
        void write(Path directory);
    }

    private final String name;
    private final Path directory;
    private final DurableFiles files;

    Stage(String name, Path directory, DurableFiles files) {
        this.name = name;
        this.directory = directory;
        this.files = files;
    }

    public String name() {
        return name;
    }

    /** Where the result is once the stage is complete. */
    public Path directory() {
        return directory;
    }

    /** Where checkpoints of this stage are kept until it is complete. */
    public Path checkpoints() {
        return directory.resolveSibling(CHECKPOINTS + directory.getFileName());
    }

    /**
     * True if the result is there and as it was written.
     *
     * @throws RunException if it is there and damaged
     */
    public boolean complete() {
        if (Files.notExists(directory)) {
            return false;
        }
        Manifest.verify(directory);
        return true;
    }

    /** True if an attempt that was interrupted left something to go on from. */
    boolean started() {
        return Files.exists(work()) || Files.exists(checkpoints());
    }

    private Path work() {
        return directory.resolveSibling(WORK + directory.getFileName());
    }

    /**
     * Does the stage unless it is complete. The writer gets an empty directory; what an interrupted
     * attempt left is gone, except checkpoints.
     *
     * @return {@link #directory()}
     */
    public Path runOnce(Writer writer) {
        if (!complete()) {
            Path temporary = DurableFiles.temporary(directory);
            DurableFiles.delete(temporary);
            finish(temporary, writer);
        }
        DurableFiles.delete(checkpoints());
        return directory;
    }

    /**
     * Does the stage unless it is complete. The writer gets what an interrupted attempt left, and
     * must know by itself which of it is whole, as shards do.
     *
     * @return {@link #directory()}
     */
    public Path continueOnce(Writer writer) {
        if (!complete()) {
            Path work = work();
            if (Files.exists(work)) {
                DurableFiles.removeTemporaries(work);
            }
            finish(work, writer);
        }
        DurableFiles.delete(checkpoints());
        return directory;
    }

    private void finish(Path work, Writer writer) {
        try {
            Files.createDirectories(work);
        } catch (IOException e) {
            throw new RunException(work + ": cannot be made: " + IoReasons.of(e), e);
        }
        writer.write(work);
        files.complete(work, directory, name);
    }
}
