package io.agentprm.api.env;

import io.agentprm.api.Stable;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the agent sees before it acts: parts, and the admissible actions where the environment lists
 * them. Immutable.
 */
@Stable(since = "1.0")
public final class Observation {
    private final List<Part> parts;
    private final Optional<List<String>> admissibleActions;

    private Observation(List<Part> parts, Optional<List<String>> admissibleActions) {
        this.parts = parts;
        this.admissibleActions = admissibleActions;
    }

    public static Observation of(List<Part> parts) {
        return new Observation(List.copyOf(parts), Optional.empty());
    }

    public static Observation text(String text) {
        return new Observation(List.of(new Part.Text(text)), Optional.empty());
    }

    /**
     * The same observation with the actions that are admissible now, in the environment's order.
     */
    public Observation withAdmissibleActions(List<String> actions) {
        return new Observation(parts, Optional.of(List.copyOf(actions)));
    }

    public List<Part> parts() {
        return parts;
    }

    /** Empty where the environment does not list admissible actions. */
    public Optional<List<String>> admissibleActions() {
        return admissibleActions;
    }

    /** All parts as text, joined by newlines. */
    public String text() {
        return parts.size() == 1
                ? parts.get(0).text()
                : parts.stream().map(Part::text).collect(Collectors.joining("\n"));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Observation that
                && parts.equals(that.parts)
                && admissibleActions.equals(that.admissibleActions);
    }

    @Override
    public int hashCode() {
        return 31 * parts.hashCode() + admissibleActions.hashCode();
    }

    @Override
    public String toString() {
        return text();
    }
}
