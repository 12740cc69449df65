package io.agentprm.core.config;

import io.agentprm.core.RunException;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration is wrong; lists everything that is wrong with it, one line each. */
public final class ConfigException extends RunException {
    private static final long serialVersionUID = 1L;

    /**
     * One thing that is wrong.
     *
     * @param location where it stands
     * @param key path of the key, such as {@code rollout.tasks[2]}; empty for the whole text
     * @param message what is wrong and what is allowed
     */
    public record Problem(Location location, String key, String message) {
        @Override
        public String toString() {
            return location + ": " + (key.isEmpty() ? "" : key + ": ") + message;
        }
    }

    private final transient List<Problem> problems;

    ConfigException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    ConfigException(Location location, String key, String message) {
        this(List.of(new Problem(location, key, message)));
    }

    /** Everything that is wrong, in the order of the keys; at least one element. */
    public List<Problem> problems() {
        return problems;
    }
}
