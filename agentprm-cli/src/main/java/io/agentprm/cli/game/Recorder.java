package io.agentprm.cli.game;

import io.agentprm.api.env.Task;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
import io.agentprm.core.files.ProcessLock;
import io.agentprm.core.report.Words;
import io.agentprm.core.store.StoreException;
import io.agentprm.core.store.TrajectoryFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where finished episodes go: to the end of a file, which is whole at every moment, or nowhere. One
 * that could not be written is kept and written with the next. Thread-safe.
 */
public final class Recorder implements AutoCloseable {
    private final Optional<Path> file;
    private final Optional<ProcessLock> lock;
    private final Map<String, Integer> attempts = new HashMap<>();
    private final List<Trajectory> unwritten = new ArrayList<>();
    private int recorded;

    private Recorder(Optional<Path> file, Optional<ProcessLock> lock) {
        this.file = file;
        this.lock = lock;
    }

    /** Keeps nothing. */
    public static Recorder none() {
        return new Recorder(Optional.empty(), Optional.empty());
    }

    /**
     * Adds to a file of trajectories, or begins one, until it is closed.
     *
     * @throws io.agentprm.core.RunException if the file holds something else or is damaged, its
     *     directory is missing, or another process is adding to it
     */
    public static Recorder to(Path file) {
        Path folder = file.toAbsolutePath().normalize().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new RunException(
                    file + ": there is no folder " + folder + "; make it, or record elsewhere");
        }
        ProcessLock lock =
                ProcessLock.take(file.resolveSibling("." + file.getFileName() + ".lock"), file);
        Recorder recorder = new Recorder(Optional.of(file), Optional.of(lock));
        try {
            if (Files.exists(file)) {
                TrajectoryFiles.trajectories().read(file).forEach(recorder::count);
            }
            return recorder;
        } catch (StoreException e) {
            lock.close();
            throw new RunException(
                    e.getMessage()
                            + ". Nothing was added; move the file away, or record into another one",
                    e);
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private void count(Trajectory there) {
        attempts.merge(there.task().id(), there.episode() + 1, Math::max);
        recorded++;
    }

    /** The number of the next attempt at a task, which no other gets. */
    public synchronized int nextAttempt(Task task) {
        return attempts.merge(task.id(), 1, Integer::sum) - 1;
    }

    /**
     * Adds a finished episode.
     *
     * @throws io.agentprm.core.RunException if the file cannot be written
     */
    public synchronized void record(Trajectory finished) {
        if (file.isEmpty()) {
            return;
        }
        unwritten.add(finished);
        TrajectoryFiles.trajectories().append(file.get(), unwritten);
        recorded += unwritten.size();
        unwritten.clear();
    }

    /** Where it goes and how much is there, in words; empty text if nothing is kept. */
    public synchronized String inWords() {
        return file.map(
                        path ->
                                Words.counted(recorded, "episode")
                                        + " in "
                                        + path
                                        + (unwritten.isEmpty()
                                                ? ""
                                                : ", " + unwritten.size() + " not written yet"))
                .orElse("");
    }

    @Override
    public synchronized void close() {
        try {
            if (!unwritten.isEmpty()) {
                TrajectoryFiles.trajectories().append(file.orElseThrow(), unwritten);
            }
        } finally {
            lock.ifPresent(ProcessLock::close);
        }
    }
}
