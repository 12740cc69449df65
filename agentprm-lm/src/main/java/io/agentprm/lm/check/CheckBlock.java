package io.agentprm.lm.check;

import com.fasterxml.jackson.databind.JsonNode;

/** Compares a block of a file of numbers with what an engine computes. */
public interface CheckBlock {
    /**
     * Adds deviations to the report.
     *
     * @param block of the file
     */
    void check(CheckReport report, JsonNode block);
}
