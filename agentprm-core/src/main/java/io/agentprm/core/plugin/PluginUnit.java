package io.agentprm.core.plugin;

import io.agentprm.core.RunException;
import java.nio.file.Path;
import java.util.List;

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
     * @throws RunException if one cannot be read, or was built for another version of the API
     */
    static PluginUnit read(Path place, List<Path> jars) {
        List<PluginJar> read = jars.stream().map(PluginJar::read).toList();
        read.forEach(PluginJar::requireCompatible);
        return new PluginUnit(place, read);
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
