package io.agentprm.api.plugin;

import io.agentprm.api.Stable;

/**
 * A named factory. Implementations are public classes with a public constructor without parameters
 * that does nothing.
 *
 * <p>Ranges of settings belong into the record's constructor: it throws {@link
 * IllegalArgumentException} with a message that begins with the key ({@code size must be at least
 * 1, was 0}), which is shown with the key's place in the file. What only {@code create} can find
 * out, such as a file that is missing, it says with an {@link io.agentprm.api.AgentPrmException},
 * whose message is shown as it is. Any other exception, or {@code null}, is put down to the plugin.
 *
 * @param <C> configuration: a public record whose components carry descriptions and defaults
 */
@Stable(since = "1.0")
public interface Provider<C extends Record> {
    /**
     * Stable name: lower-case ASCII letters, digits and hyphens, at most 64. Files and stored runs
     * use it.
     */
    String name();

    /** One sentence. */
    String description();

    Class<C> configuration();
}
