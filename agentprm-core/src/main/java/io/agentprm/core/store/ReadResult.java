package io.agentprm.core.store;

import java.util.List;

/**
 * What was read.
 *
 * @param items what could be read, in order
 * @param skipped one message for each line or file that was left out, with its place and cause
 */
public record ReadResult<T>(List<T> items, List<String> skipped) {
    public ReadResult {
        items = List.copyOf(items);
        skipped = List.copyOf(skipped);
    }
}
