package io.agentprm.core.run;

import io.agentprm.core.RunException;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.files.DurableFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * How far a run has come, read without a trace: nothing is made or changed, and no lock is taken,
 * so that a run which is going on may be looked at.
 */
public final class RunSnapshot {
    private final Path path;

    private RunSnapshot(Path path) {
        this.path = path;
    }

    /** How far a stage has come. */
    public enum Progress {
        MISSING,
        STARTED,
        DONE
    }

    /**
     * Looks at a directory, which need not exist.
     *
     * @param config configuration as resolved, which an existing run must have been made with
     * @param harmless keys of the configuration that may differ
     * @throws RunException if {@link RunDirectory#open} would refuse the directory for its
     *     configuration, or it is no directory
     */
    public static RunSnapshot of(Path path, ConfigNode config, Set<String> harmless) {
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw new RunException(path + " is no directory; choose another");
        }
        RunSnapshot snapshot = new RunSnapshot(path);
        if (snapshot.exists()) {
            RunDirectory.requireSame(path, config, harmless);
        }
        return snapshot;
    }

    public Path path() {
        return path;
    }

    /** Whether a run was ever started there. */
    public boolean exists() {
        return Files.exists(path.resolve(RunDirectory.CONFIG));
    }

    /**
     * How far a stage has come.
     *
     * @throws RunException if its result is there and damaged
     */
    public Progress progress(String name) {
        Stage stage = new Stage(name, path.resolve(name), DurableFiles.standard());
        if (stage.complete()) {
            return Progress.DONE;
        }
        return stage.started() ? Progress.STARTED : Progress.MISSING;
    }
}
