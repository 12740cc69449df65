package io.agentprm.api.env;

import io.agentprm.api.Stable;
import java.util.Objects;

/** Identity of a suite for reports: two results are comparable if this is equal. */
@Stable(since = "1.0")
public final class EnvironmentInfo {
    private final String name;
    private final String version;
    private final String contentHash;
    private final int stepLimit;

    private EnvironmentInfo(String name, String version, String contentHash, int stepLimit) {
        this.name = Objects.requireNonNull(name, "name");
        this.version = Objects.requireNonNull(version, "version");
        this.contentHash = Objects.requireNonNull(contentHash, "contentHash");
        this.stepLimit = stepLimit;
    }

    /**
     * Makes an identity.
     *
     * @param contentHash hash of everything that tasks depend on (game files, catalogue, generator
     *     settings)
     * @param stepLimit largest number of actions of an episode that is part of the task; 0 if there
     *     is none. A session ends its episodes itself; one that goes on beyond this is a defect of
     *     the environment and ends aborted
     */
    public static EnvironmentInfo of(
            String name, String version, String contentHash, int stepLimit) {
        return new EnvironmentInfo(name, version, contentHash, stepLimit);
    }

    public String name() {
        return name;
    }

    public String version() {
        return version;
    }

    public String contentHash() {
        return contentHash;
    }

    /** 0 if there is none. A session ends its episodes itself. */
    public int stepLimit() {
        return stepLimit;
    }

    @Override
    public String toString() {
        return name + " " + version + " (" + contentHash + ", step limit " + stepLimit + ")";
    }
}
