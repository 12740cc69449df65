package io.agentprm.core.plugin;

import io.agentprm.api.AgentPrmException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A provider that was found and is not usable, or a whole plugin that is not.
 *
 * @param kind kind of provider; empty for a whole plugin
 * @param provider class name of the provider, or its name where that is known; empty for a whole
 *     plugin
 * @param location JAR, folder or module that it came from; {@code unknown} if it does not say
 * @param cause why it is not usable
 */
public record PluginFailure(
        Optional<ProviderKind<?>> kind, String provider, String location, Throwable cause) {

    /**
     * Java reads one at the beginning of a service file as a part of the name, and nobody sees it.
     */
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    static PluginFailure of(
            ProviderKind<?> kind, String provider, String location, Throwable cause) {
        return new PluginFailure(Optional.of(kind), provider, location, cause);
    }

    /** A plugin of which nothing was loaded; the message of the cause says why. */
    static PluginFailure of(Path place, Throwable cause) {
        return new PluginFailure(Optional.empty(), "", place.toString(), cause);
    }

    /** Why, in words. */
    public String reason() {
        if (cause instanceof AgentPrmException) {
            return cause.getMessage();
        }
        Throwable root = cause;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        if (root instanceof NoSuchMethodException || root instanceof InstantiationException) {
            return "it must be a public class that is not abstract, with a public constructor"
                    + " without parameters ("
                    + root
                    + ")";
        }
        String reason = root.toString();
        return reason.indexOf(BYTE_ORDER_MARK) < 0
                ? reason
                : reason.replace(BYTE_ORDER_MARK + "", "")
                        + " after a byte order mark; save the file as UTF-8 without one";
    }

    @Override
    public String toString() {
        String subject = kind.map(k -> k + " " + provider + " in " + location).orElse(location);
        return subject + " is not usable: " + reason();
    }
}
