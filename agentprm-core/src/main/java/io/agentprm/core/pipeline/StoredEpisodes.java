package io.agentprm.core.pipeline;

import io.agentprm.api.IoReasons;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
import io.agentprm.core.store.OnCorrupt;
import io.agentprm.core.store.TrajectoryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Episodes that a finished stage has left behind. */
final class StoredEpisodes {
    private StoredEpisodes() {}

    /** All of a stage's shards, in order. */
    static List<Trajectory> in(Path stage) {
        try (Stream<Path> files = Files.list(stage)) {
            List<Path> shards =
                    files.filter(file -> file.toString().endsWith(".jsonl.gz")).sorted().toList();
            return TrajectoryFiles.trajectories().read(shards, OnCorrupt.FAIL).items();
        } catch (IOException e) {
            throw new RunException(stage + ": cannot be listed: " + IoReasons.of(e), e);
        }
    }
}
