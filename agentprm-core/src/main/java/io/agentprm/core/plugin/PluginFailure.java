package io.agentprm.core.plugin;

/**
 * A provider that was found and is not usable.
 *
 * @param kind kind of provider
 * @param provider class name of the provider, or its name where that is known
 * @param location JAR, directory or module that it came from; {@code unknown} if it does not say
 * @param cause why it is not usable
 */
public record PluginFailure(
        ProviderKind<?> kind, String provider, String location, Throwable cause) {
    @Override
    public String toString() {
        Throwable root = cause;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return kind + " " + provider + " in " + location + " is not usable: " + root;
    }
}
