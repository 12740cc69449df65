package io.agentprm.core.plugin;

import io.agentprm.api.plugin.Provider;

/**
 * A usable provider.
 *
 * @param kind kind of provider
 * @param name its stable name
 * @param location JAR, directory or module that it came from
 * @param provider the provider
 * @param <P> its interface
 */
public record Plugin<P extends Provider<?>>(
        ProviderKind<P> kind, String name, String location, P provider) {}
