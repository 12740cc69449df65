package io.agentprm.core.pipeline;

import io.agentprm.api.IoReasons;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
import io.agentprm.core.store.AgentPrmImport;
import io.agentprm.core.store.OnCorrupt;
import io.agentprm.core.store.TrajectoryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Reads trajectories from files and directories of either format. */
final class TrajectoryInputs {
    private static final String LINES = ".*\\.jsonl(\\.gz)?";

    private TrajectoryInputs() {}

    static List<Trajectory> read(List<Path> inputs) {
        List<Trajectory> all = new ArrayList<>();
        Set<Path> seen = new HashSet<>();
        for (Path input : inputs) {
            if (!seen.add(real(input))) {
                throw new RunException(
                        input + " is given twice; its trajectories would count twice");
            }
            all.addAll(read(input));
        }
        if (all.isEmpty()) {
            throw new RunException("no trajectories in " + inputs);
        }
        return all;
    }

    /** What the input is called without links and dots. */
    private static Path real(Path input) {
        try {
            return input.toRealPath();
        } catch (IOException e) {
            throw new RunException(input + " does not exist or is not readable", e);
        }
    }

    private static List<Trajectory> read(Path input) {
        if (!Files.exists(input)) {
            throw new RunException(input + " does not exist");
        }
        if (!Files.isDirectory(input)) {
            return TrajectoryFiles.trajectories().read(input);
        }
        List<Path> files;
        try (Stream<Path> entries = Files.list(input)) {
            // Metrics and labels of a run have the same ending.
            files =
                    entries.filter(path -> path.getFileName().toString().matches(LINES))
                            .filter(path -> !path.getFileName().toString().startsWith("metrics"))
                            .sorted()
                            .toList();
        } catch (IOException e) {
            throw new RunException(input + ": cannot be listed: " + IoReasons.of(e), e);
        }
        return files.isEmpty()
                ? new AgentPrmImport(OnCorrupt.FAIL).read(input).items()
                : TrajectoryFiles.trajectories().read(files, OnCorrupt.FAIL).items();
    }
}
