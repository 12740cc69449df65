package io.agentprm.core.plugin;

import io.agentprm.core.RunException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * One plugin of a plugin directory: a JAR, or a folder with a plugin and its libraries.
 *
 * @param place the JAR or folder
 * @param jars what it consists of, by name
 */
record PluginUnit(Path place, List<PluginJar> jars) {
    PluginUnit {
        jars = List.copyOf(jars);
    }

    /**
     * Reads what the JARs say of themselves; loads nothing.
     *
     * @throws RunException if one cannot be read, or was built for another version of the API, or
     *     two are the same in different versions
     */
    static PluginUnit read(Path place, List<Path> jars) {
        List<PluginJar> read = jars.stream().map(PluginJar::read).toList();
        read.forEach(PluginJar::requireCompatible);
        requireOneOfEach(read);
        return new PluginUnit(place, read);
    }

    /** Of two versions in one folder Java would take the first by name, without a word. */
    private static void requireOneOfEach(List<PluginJar> jars) {
        Map<String, Path> seen = new HashMap<>();
        for (PluginJar jar : jars) {
            Set<String> holds = new TreeSet<>(jar.providers());
            jar.module().ifPresent(module -> holds.add("module " + module.name()));
            for (String one : holds) {
                Path first = seen.putIfAbsent(one, jar.path());
                if (first != null) {
                    throw new RunException(
                            one
                                    + " is in two JARs, "
                                    + first.getFileName()
                                    + " and "
                                    + jar.path().getFileName()
                                    + "; leave one of them");
                }
            }
        }
    }

    /** Whether no JAR of it names a provider. */
    boolean providesNothing() {
        return jars.stream().allMatch(jar -> jar.providers().isEmpty());
    }

    /** Whether no JAR of it says which version of the API it was built for. */
    boolean silentOnApi() {
        return jars.stream().allMatch(jar -> jar.api().isEmpty());
    }

    /**
     * A loader of its own, with named modules where all JARs are modules.
     *
     * @throws RunException if the modules do not fit together
     */
    PluginClassLoader open() {
        PluginClassLoader loader = new PluginClassLoader(place, jars);
        if (jars.stream().allMatch(PluginJar::completeModule)) {
            PluginLayer.define(jars, loader);
        }
        return loader;
    }
}
