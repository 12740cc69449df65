package io.agentprm.api.plugin;

/**
 * A named factory. Implementations are public classes with a public constructor without parameters
 * that does nothing.
 *
 * @param <C> configuration: a public record whose components carry descriptions and defaults
 */
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
