package io.agentprm.core.plugin;

import io.agentprm.api.plugin.Provider;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ConfigCheck;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    private static final Pattern SERVICE_FILE_IN_MESSAGE =
            Pattern.compile("(\\S+)!/(META-INF/services/\\S+?):");
    private static final Pattern PROVIDER_IN_MESSAGE =
            Pattern.compile("(\\S+) (not found|not a subtype|Unable to get|is not public)");

    private final ProviderKind<P> kind;
    private final Map<String, Plugin<P>> found = new LinkedHashMap<>();
    private final List<PluginFailure> failures = new ArrayList<>();
    private final Set<Class<?>> seen = new HashSet<>();
    private final Set<Origins.Listed> failed = new HashSet<>();

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
            } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
                // A signature that does not fit, for one, is a SecurityException.
                errors++;
                reportUnloadable(e, loader);
            }
        }
        failures.add(
                PluginFailure.of(
                        kind,
                        "(any further)",
                        loader.toString(),
                        new RunException("search stopped after " + MAX_ERRORS + " errors")));
    }

    private void take(ServiceLoader.Provider<P> candidate) {
        Class<? extends P> type = candidate.type();
        if (!seen.add(type)) {
            return;
        }
        String location = Origins.of(type);
        try {
            requireCompatible(type);
            P provider = candidate.get();
            String name = requireNamed(provider);
            ConfigCheck.requireComponent(provider.configuration());
            Plugin<P> first = found.putIfAbsent(name, new Plugin<>(kind, name, location, provider));
            if (first != null && !bundledCopy(type, first)) {
                throw new RunException(
                        "the name '"
                                + name
                                + "' is taken by "
                                + first.provider().getClass().getName()
                                + " in "
                                + first.location()
                                + ", which was found first");
            }
        } catch (Throwable e) {
            // A stranger's code may throw anything, sneaked checked exceptions included.
            failures.add(PluginFailure.of(kind, type.getName(), location, e));
        }
    }

    /** Plugins of a directory were asked before anything of them was loaded. */
    private static void requireCompatible(Class<?> provider) {
        if (!(provider.getClassLoader() instanceof PluginClassLoader)) {
            Origins.jar(provider).map(PluginJar::read).ifPresent(PluginJar::requireCompatible);
        }
    }

    private static String requireNamed(Provider<?> provider) {
        String name = Objects.requireNonNullElse(provider.name(), "");
        if (!NAME.matcher(name).matches()) {
            throw new RunException(
                    "the name '" + name + "' must consist of 1 to 64 of a-z, 0-9 and hyphens");
        }
        if (Objects.requireNonNullElse(provider.description(), "").isBlank()) {
            throw new RunException("it has no description; return a sentence, which lists show");
        }
        return name;
    }

    /** A plugin that brings one of our libraries brings the providers in it too, to no effect. */
    private static boolean bundledCopy(Class<?> type, Plugin<?> first) {
        Class<?> used = first.provider().getClass();
        return type.getClassLoader() instanceof PluginClassLoader
                && !(used.getClassLoader() instanceof PluginClassLoader)
                && used.getName().equals(type.getName());
    }

    private void reportUnloadable(Throwable error, ClassLoader loader) {
        String message = String.valueOf(error.getMessage());
        Matcher file = SERVICE_FILE_IN_MESSAGE.matcher(message);
        Matcher named = PROVIDER_IN_MESSAGE.matcher(message);
        if (error instanceof ServiceConfigurationError && file.find()) {
            report(
                    new Origins.Listed("(" + file.group(2) + ")", Origins.place(file.group(1))),
                    error);
        } else if (error instanceof ServiceConfigurationError && named.find()) {
            String className = named.group(1);
            report(
                    new Origins.Listed(className, Origins.of(className, kind.type(), loader)),
                    error);
        } else {
            report(
                    Origins.culprit(kind.type(), loader, failed)
                            .orElseGet(() -> new Origins.Listed("(unknown)", loader.toString())),
                    error);
        }
    }

    /** Once: what a parent of a loader has reported comes again from the child. */
    private void report(Origins.Listed provider, Throwable error) {
        if (failed.add(provider)) {
            failures.add(PluginFailure.of(kind, provider.className(), provider.location(), error));
        }
    }
}
