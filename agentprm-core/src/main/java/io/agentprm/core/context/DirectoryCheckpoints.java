package io.agentprm.core.context;

import io.agentprm.api.IoReasons;
import io.agentprm.api.run.Cancellation;
import io.agentprm.api.run.Checkpoints;
import io.agentprm.core.RunException;
import io.agentprm.core.files.DurableFiles;
import io.agentprm.core.files.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checkpoints as subdirectories {@code step-000000000120}, each with a manifest of checksums,
 * beside a copy of the metrics so far: after a kill the series go on where the checkpoint stands,
 * without a point twice. Not thread-safe.
 */
public final class DirectoryCheckpoints implements Checkpoints {
    private static final String PREFIX = "step-";

    private final Path directory;
    private final Duration interval;
    private final Clock clock;
    private final Cancellation cancellation;
    private final JsonLinesMetrics metrics;
    private final DurableFiles files;
    private long savedAt;

    /**
     * Opens the checkpoints of one stage.
     *
     * @param directory where they are; made when the first is written
     * @param interval time between two checkpoints
     * @param metrics series that are part of each checkpoint
     */
    public DirectoryCheckpoints(
            Path directory,
            Duration interval,
            Clock clock,
            Cancellation cancellation,
            JsonLinesMetrics metrics,
            DurableFiles files) {
        this.directory = directory;
        this.interval = interval;
        this.clock = clock;
        this.cancellation = cancellation;
        this.metrics = metrics;
        this.files = files;
        this.savedAt = clock.millis();
    }

    /**
     * {@inheritDoc}
     *
     * <p>The metrics go back to what they were at that checkpoint.
     *
     * @throws RunException if the newest one is damaged
     */
    @Override
    public Optional<Checkpoint> latest() {
        List<Path> all = all();
        if (all.isEmpty()) {
            return Optional.empty();
        }
        Path newest = all.get(all.size() - 1);
        Manifest.verify(newest);
        metrics.resumeFrom(newest.resolve(JsonLinesMetrics.FILE));
        String step = newest.getFileName().toString().substring(PREFIX.length());
        return Optional.of(new Checkpoint(newest.resolve("state"), Long.parseLong(step)));
    }

    @Override
    public boolean due() {
        return cancellation.requested() || clock.millis() - savedAt >= interval.toMillis();
    }

    @Override
    public void save(long step, Writer writer) {
        Path target = directory.resolve(String.format(Locale.ROOT, "%s%012d", PREFIX, step));
        if (Files.exists(target)) {
            // A stop right after a checkpoint asks for the same one again.
            savedAt = clock.millis();
            return;
        }
        Path temporary = DurableFiles.temporary(target);
        DurableFiles.delete(temporary);
        try {
            Files.createDirectories(temporary.resolve("state"));
        } catch (IOException e) {
            throw new RunException(temporary + ": cannot be made: " + IoReasons.of(e), e);
        }
        writer.write(temporary.resolve("state"));
        metrics.copyTo(temporary.resolve(JsonLinesMetrics.FILE));
        List<Path> older = all();
        files.complete(temporary, target, "checkpoint after step " + step);
        older.forEach(DurableFiles::delete);
        savedAt = clock.millis();
    }

    private List<Path> all() {
        if (Files.notExists(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(path -> path.getFileName().toString().matches("step-[0-9]{12}"))
                    .sorted(Comparator.comparing(Path::getFileName))
                    .toList();
        } catch (IOException e) {
            throw new RunException(directory + ": cannot be listed: " + IoReasons.of(e), e);
        }
    }
}
