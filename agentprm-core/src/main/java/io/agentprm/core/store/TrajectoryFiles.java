package io.agentprm.core.store;

import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.files.DurableFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Files of trajectories: a header line with schema and version, then one item a line, in UTF-8,
 * compressed with gzip. The same items give the same bytes. Fields that this version does not know
 * are ignored as long as the major version is the same.
 *
 * @param <T> what a line holds
 */
public final class TrajectoryFiles<T> {
    /** Longest line, in bytes before compression, unless said otherwise: 256 MiB. */
    public static final int MAX_LINE_BYTES = 1 << 28;

    private final String schema;
    private final Codec<T> codec;
    private final int maxLineBytes;

    private TrajectoryFiles(String schema, Codec<T> codec, int maxLineBytes) {
        this.schema = schema;
        this.codec = codec;
        this.maxLineBytes = maxLineBytes;
    }

    /** Files of plain trajectories. */
    public static TrajectoryFiles<Trajectory> trajectories() {
        return new TrajectoryFiles<>(
                "agentprm.trajectories", new TrajectoryCodec(), MAX_LINE_BYTES);
    }

    /** Files of trajectories with labels. */
    public static TrajectoryFiles<LabelledTrajectory> labelled() {
        return new TrajectoryFiles<>(
                "agentprm.labelled-trajectories", new LabelledCodec(), MAX_LINE_BYTES);
    }

    /** The same files with another limit, which writer and reader both enforce. */
    public TrajectoryFiles<T> withMaxLineBytes(int bytes) {
        return new TrajectoryFiles<>(schema, codec, bytes);
    }

    /** Opens a new file for writing, item by item. */
    public TrajectoryWriter<T> writer(Path file) {
        return TrajectoryWriter.of(file, schema, codec, maxLineBytes);
    }

    /** Opens a file, compressed or not, for reading, item by item. */
    public TrajectoryReader<T> reader(Path file, OnCorrupt onCorrupt) {
        return new TrajectoryReader<>(file, schema, codec, maxLineBytes, onCorrupt);
    }

    /** Writes a whole file; it appears complete or not at all. */
    public void write(Path file, Iterable<T> items) {
        write(file, items, DurableFiles.standard());
    }

    /** Writes a whole file by way of the given files. */
    public void write(Path file, Iterable<T> items, DurableFiles files) {
        files.write(
                file,
                path -> {
                    try (TrajectoryWriter<T> writer = writer(path)) {
                        items.forEach(writer::write);
                    }
                });
    }

    /**
     * Adds items to a file, or writes a new one. It then has all of them, or none if the process is
     * killed before: they go to the end of a copy, which takes the file's place. The file must be
     * whole, which only its header is looked at for; two processes must not add to it at once.
     *
     * @throws StoreException if the file there holds something else
     */
    public void append(Path file, Iterable<T> items) {
        append(file, items, DurableFiles.standard());
    }

    /** Adds items to a file by way of the given files. */
    public void append(Path file, Iterable<T> items, DurableFiles files) {
        if (Files.notExists(file)) {
            write(file, items, files);
            return;
        }
        reader(file, OnCorrupt.FAIL).close();
        boolean compressed = TrajectoryReader.isCompressed(file);
        files.write(
                file,
                path -> {
                    Files.copy(file, path);
                    try (TrajectoryWriter<T> writer =
                            TrajectoryWriter.after(path, compressed, codec, maxLineBytes)) {
                        items.forEach(writer::write);
                    }
                });
    }

    /**
     * Reads a whole file.
     *
     * @throws StoreException at the first line that is corrupt
     */
    public List<T> read(Path file) {
        return read(List.of(file), OnCorrupt.FAIL).items();
    }

    /** Reads several files in order. */
    public ReadResult<T> read(List<Path> files, OnCorrupt onCorrupt) {
        List<T> items = new ArrayList<>();
        List<String> skipped = new ArrayList<>();
        for (Path file : files) {
            try (TrajectoryReader<T> reader = reader(file, onCorrupt)) {
                for (Optional<T> item = reader.next(); item.isPresent(); item = reader.next()) {
                    items.add(item.get());
                }
                skipped.addAll(reader.skipped());
            }
        }
        return new ReadResult<>(items, skipped);
    }
}
