package io.agentprm.cli.run;

import io.agentprm.core.RunException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Model directories of a run.
 *
 * @param run its directory
 */
public record RunModels(Path run) {
    /** Number of the last policy that there is; 0 for the first one. */
    public int lastPolicy() {
        int last = 0;
        while (Files.isDirectory(policyModel(last + 1))) {
            last++;
        }
        return last;
    }

    private Path policyModel(int number) {
        return run.resolve(number == 0 ? "policy-0" : "iteration-" + number + "/policy")
                .resolve("model");
    }

    /**
     * The policy {@code pi-NUMBER}.
     *
     * @throws RunException if it does not exist yet
     */
    public Path policy(int number) {
        return existing(policyModel(number), "policy pi-" + number);
    }

    /**
     * The reward model {@code Q-NUMBER}.
     *
     * @throws RunException if it does not exist yet
     */
    public Path rewardModel(int number) {
        return existing(
                run.resolve("iteration-" + (number + 1)).resolve("prm").resolve("model"),
                "reward model Q-" + number);
    }

    /**
     * A directory that should exist.
     *
     * @param title what it holds
     * @throws RunException if it does not
     */
    public Path existing(Path path, String title) {
        if (!Files.isDirectory(path)) {
            throw new RunException(run + " has no " + title + " (yet): " + path + " is missing");
        }
        return path;
    }
}
