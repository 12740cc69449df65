package io.agentprm.core.plugin;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.plugin.Provider;
import io.agentprm.core.RunException;
import java.util.function.Supplier;

/** Asks a provider for its component; what goes wrong there is put down to the provider. */
final class Making {
    private Making() {}

    /**
     * The component.
     *
     * @throws RunException if the provider throws something that is not written for users, gives
     *     nothing, or lacks a class; names the provider and where it comes from
     */
    static <T> T by(Provider<?> provider, Supplier<T> create) {
        T made;
        try {
            made = create.get();
        } catch (AgentPrmException e) {
            throw e;
        } catch (LinkageError e) {
            throw new RunException(
                    title(provider)
                            + " lacks a class: "
                            + e
                            + "; put the libraries that it needs beside its JAR, together in one"
                            + " directory below the plugin directory",
                    e);
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            throw new RunException(
                    title(provider)
                            + " cannot be made: "
                            + e
                            + "; check its settings ('agentprm plugins "
                            + provider.name()
                            + "' lists them), else it is a defect of the plugin",
                    e);
        }
        if (made == null) {
            throw new RunException(
                    title(provider)
                            + " gave null for a component; its create must return one or throw");
        }
        return made;
    }

    private static String title(Provider<?> provider) {
        return "plugin '"
                + provider.name()
                + "' ("
                + provider.getClass().getName()
                + " in "
                + Origins.of(provider.getClass())
                + ")";
    }
}
