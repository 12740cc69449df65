package io.agentprm.core.plugin;

import io.agentprm.api.plugin.Provider;
import io.agentprm.core.RunException;
import io.agentprm.core.config.Names;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All providers that there are: those on the class path or module path of the API, then those of
 * further class loaders in their order. Where two providers of a kind have one name, the first
 * found is used and the other is reported. Immutable, thread-safe; the result does not depend on
 * the calling thread's context class loader.
 */
public final class Plugins {
    private final List<Plugin<?>> found;
    private final List<PluginFailure> failures;
    private final List<String> searched;

    private Plugins(List<Plugin<?>> found, List<PluginFailure> failures, List<String> searched) {
        this.found = List.copyOf(found);
        this.failures = List.copyOf(failures);
        this.searched = List.copyOf(searched);
    }

    /** Searches where the API itself was loaded from. */
    public static Plugins discover() {
        return discover(List.of());
    }

    /** Searches where the API was loaded from, then in the given loaders. */
    public static Plugins discover(List<ClassLoader> more) {
        return discover(more, List.of(), List.of());
    }

    /**
     * Searches where the API was loaded from, then in the given loaders.
     *
     * @param unopened plugins for which there is no loader, reported after all others
     * @param empty places where nothing was, told with those that were searched
     */
    static Plugins discover(
            List<? extends ClassLoader> more, List<PluginFailure> unopened, List<String> empty) {
        Set<ClassLoader> loaders = new LinkedHashSet<>();
        loaders.add(Provider.class.getClassLoader());
        loaders.addAll(more);
        List<Plugin<?>> found = new ArrayList<>();
        List<PluginFailure> failures = new ArrayList<>();
        for (ProviderKind<?> kind : ProviderKind.all()) {
            Discovery<?> discovery = new Discovery<>(kind);
            loaders.forEach(discovery::search);
            found.addAll(discovery.found());
            failures.addAll(discovery.failures());
        }
        failures.addAll(unopened);
        List<String> searched = new ArrayList<>();
        loaders.forEach(loader -> searched.add(describe(loader)));
        searched.addAll(empty);
        return new Plugins(found, failures, searched);
    }

    /** Usable providers of all kinds, in the order they were found. */
    public List<Plugin<?>> found() {
        return found;
    }

    /** Providers that were found and cannot be used, then plugins that could not be opened. */
    public List<PluginFailure> failures() {
        return failures;
    }

    /** Where was looked, in order. */
    public List<String> searched() {
        return searched;
    }

    /** Usable providers of a kind, in the order they were found. */
    @SuppressWarnings("unchecked")
    public <P extends Provider<?>> List<Plugin<P>> of(ProviderKind<P> kind) {
        return found.stream()
                .filter(plugin -> plugin.kind() == kind)
                .map(plugin -> (Plugin<P>) plugin)
                .toList();
    }

    /**
     * The provider of that name.
     *
     * @throws RunException if there is none; says which there are, which failed, and where was
     *     looked
     */
    public <P extends Provider<?>> P find(ProviderKind<P> kind, String name) {
        List<Plugin<P>> candidates = of(kind);
        for (Plugin<P> plugin : candidates) {
            if (plugin.name().equals(name)) {
                return plugin.provider();
            }
        }
        List<String> names = candidates.stream().map(Plugin::name).toList();
        String failed =
                failures.stream()
                        .filter(failure -> failure.kind().filter(k -> k != kind).isEmpty())
                        .map(failure -> "; failed: " + failure)
                        .collect(Collectors.joining());
        throw new RunException(
                "there is no "
                        + kind
                        + " '"
                        + name
                        + "'"
                        + Names.nearest(name, names)
                                .map(near -> "; did you mean '" + near + "'?")
                                .orElse("")
                        + "; found: "
                        + names
                        + "; looked in: "
                        + searched
                        + failed);
    }

    private static String describe(ClassLoader loader) {
        String path = loader.getName() == null ? loader.toString() : loader.getName();
        return path.equals("app") ? "class path and module path" : path;
    }
}
