package io.agentprm.core.plugin;

import io.agentprm.api.plugin.Provider;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks for the providers of one kind; a bad one stops nobody else. */
final class Discovery<P extends Provider<?>> {
    /** A loader can fail for ever without moving on. */
    private static final int MAX_ERRORS = 100;

    private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,64}");
    private static final Pattern PROVIDER_IN_MESSAGE = Pattern.compile("Provider (\\S+)");

    private final ProviderKind<P> kind;
    private final Map<String, Plugin<P>> found = new LinkedHashMap<>();
    private final List<PluginFailure> failures = new ArrayList<>();
    private final Set<Class<?>> seen = new HashSet<>();
    private final Set<String> failed = new HashSet<>();
    private final Set<String> messages = new HashSet<>();

    Discovery(ProviderKind<P> kind) {
        this.kind = kind;
    }

    List<Plugin<P>> found() {
        return List.copyOf(found.values());
    }

    List<PluginFailure> failures() {
        return List.copyOf(failures);
    }

    /** Takes what this loader sees, itself or through its parents, and has not been taken yet. */
    void search(ClassLoader loader) {
        Iterator<ServiceLoader.Provider<P>> providers =
                ServiceLoader.load(kind.type(), loader).stream().iterator();
        int errors = 0;
        while (errors < MAX_ERRORS) {
            try {
                if (!providers.hasNext()) {
                    return;
                }
                take(providers.next());
            } catch (ServiceConfigurationError | LinkageError e) {
                errors++;
                reportUnloadable(e, loader);
            }
        }
        failures.add(
                new PluginFailure(
                        kind,
                        "(any further)",
                        loader.toString(),
                        new ServiceConfigurationError(
                                "search stopped after " + MAX_ERRORS + " errors")));
    }

    private void take(ServiceLoader.Provider<P> candidate) {
        Class<? extends P> type = candidate.type();
        if (!seen.add(type)) {
            return;
        }
        String location = Origins.of(type);
        try {
            P provider = candidate.get();
            String name = provider.name();
            if (!NAME.matcher(name).matches()) {
                throw new ServiceConfigurationError(
                        "the name '" + name + "' must consist of 1 to 64 of a-z, 0-9 and hyphens");
            }
            if (provider.configuration() == null) {
                throw new ServiceConfigurationError("it names no configuration record");
            }
            Plugin<P> first = found.putIfAbsent(name, new Plugin<>(kind, name, location, provider));
            if (first != null) {
                throw new ServiceConfigurationError(
                        "the name '"
                                + name
                                + "' is taken by "
                                + first.provider().getClass().getName()
                                + " in "
                                + first.location()
                                + ", which was found first");
            }
        } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
            failures.add(new PluginFailure(kind, type.getName(), location, e));
        }
    }

    private void reportUnloadable(Throwable error, ClassLoader loader) {
        Matcher named = PROVIDER_IN_MESSAGE.matcher(String.valueOf(error.getMessage()));
        if (error instanceof ServiceConfigurationError && named.find()) {
            String className = named.group(1);
            if (failed.add(className)) {
                failures.add(
                        new PluginFailure(
                                kind,
                                className,
                                Origins.of(className, kind.type(), loader),
                                error));
            }
            return;
        }
        Optional<Origins.Listed> culprit = Origins.culprit(kind.type(), loader, failed);
        boolean repeated = !messages.add(error.toString());
        if (culprit.isPresent()) {
            failed.add(culprit.get().className());
            failures.add(
                    new PluginFailure(
                            kind, culprit.get().className(), culprit.get().location(), error));
        } else if (!repeated) {
            // Otherwise it is what a parent of this loader has already reported.
            failures.add(new PluginFailure(kind, "(unknown)", loader.toString(), error));
        }
    }
}
