package io.agentprm.core.report;

import java.util.List;

/**
 * Facts about how a run was made: seeds, versions, hashes, hardware.
 *
 * @param title such as {@code Versions}
 */
public record FactSheet(String title, List<Fact> facts) {
    public FactSheet {
        facts = List.copyOf(facts);
    }

    /** A name and its value. */
    public record Fact(String name, String value) {}
}
