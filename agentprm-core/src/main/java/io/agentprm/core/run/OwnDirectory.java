package io.agentprm.core.run;

import io.agentprm.api.IoReasons;
import io.agentprm.core.RunException;
import io.agentprm.core.files.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Tells a directory that a run may be written into from a folder that is somebody else's. */
public final class OwnDirectory {
    private static final List<String> UNFINISHED =
            List.of(DurableFiles.TEMPORARY, Stage.WORK, Stage.CHECKPOINTS);

    private OwnDirectory() {}

    /**
     * Refuses a directory that holds anything else than a run. A directory that does not exist, is
     * empty or holds a run is fine, and so is one that holds nothing but stages, which a new run
     * then need not do.
     *
     * @param stage whether a stage, or the directory above some, is called that
     * @throws RunException if it is refused; nothing was changed
     */
    public static void require(Path path, Predicate<String> stage) {
        if (path.toString().isEmpty()) {
            throw new RunException("the name of the directory is empty; name one with --out DIR");
        }
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw new RunException(path + " is no directory; choose another");
        }
        if (Files.notExists(path) || Files.exists(path.resolve(RunDirectory.INFO))) {
            return;
        }
        List<Path> foreign;
        try (Stream<Path> entries = Files.list(path)) {
            foreign = entries.filter(entry -> !own(entry, stage)).sorted().toList();
        } catch (IOException e) {
            throw new RunException(path + ": cannot be listed: " + IoReasons.of(e), e);
        }
        if (!foreign.isEmpty()) {
            throw new RunException(
                    path
                            + " is not empty and holds no run (no "
                            + RunDirectory.INFO
                            + "), but "
                            + foreign.get(0).getFileName()
                            + (foreign.size() == 1 ? "" : " and " + (foreign.size() - 1) + " more")
                            + "; choose a directory that is new or empty");
        }
    }

    private static boolean own(Path entry, Predicate<String> stage) {
        String name = entry.getFileName().toString();
        if (!Files.isDirectory(entry)) {
            return finished(name).equals(RunDirectory.CONFIG)
                    || finished(name).equals(RunDirectory.INFO)
                    || name.equals(RunDirectory.LOCK);
        }
        return stage.test(finished(name));
    }

    /** The name that something gets when it is complete. */
    private static String finished(String name) {
        return UNFINISHED.stream()
                .filter(name::startsWith)
                .findFirst()
                .map(beginning -> name.substring(beginning.length()))
                .orElse(name);
    }
}
