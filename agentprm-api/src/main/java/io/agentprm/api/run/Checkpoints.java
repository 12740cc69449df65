package io.agentprm.api.run;

import io.agentprm.api.Stable;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a long stage keeps its state so that it can go on after a kill. A checkpoint appears whole
 * or not at all.
 */
@Stable(since = "1.0")
public interface Checkpoints {
    /** A complete checkpoint: a directory and the step it was taken after. */
    record Checkpoint(Path directory, long step) {}

    /** Writes the files of one checkpoint into an empty directory. */
    @FunctionalInterface
    interface Writer {
        void write(Path directory);
    }

    /** The newest complete checkpoint of this stage, if any. */
    Optional<Checkpoint> latest();

    /** True if enough time has passed since the last checkpoint, or a stop is requested. */
    boolean due();

    /** Writes a checkpoint under a temporary name, syncs and renames it, then drops older ones. */
    void save(long step, Writer writer);

    /** Never due, keeps nothing. */
    static Checkpoints none() {
        return new Checkpoints() {
            @Override
            public Optional<Checkpoint> latest() {
                return Optional.empty();
            }

            @Override
            public boolean due() {
                return false;
            }

            @Override
            public void save(long step, Writer writer) {}
        };
    }
}
