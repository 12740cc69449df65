package io.agentprm.core.plugin;

import io.agentprm.api.plugin.Provider;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.LoggerFactory;

/**
 * What a plugin sees of the application: the JDK, the API and SLF4J. Everything else it has from
 * its own JARs, so that its version of a library never meets ours.
 *
 * <p>The platform class loader as such is no filter: it hands out named modules of the application
 * too.
 */
final class SharedClasses extends ClassLoader {
    /**
     * Modules that plugins share with the application, apart from the JDK's, with a class of each.
     */
    static final Map<String, Class<?>> MODULES =
            Map.of("io.agentprm.api", Provider.class, "org.slf4j", LoggerFactory.class);

    private static final String API = "io.agentprm.api";

    /** Those that SLF4J exports; a back end, such as {@code org.slf4j.simple}, is not shared. */
    private static final Set<String> SLF4J =
            Set.of("org.slf4j", "org.slf4j.event", "org.slf4j.helpers", "org.slf4j.spi");

    private final Set<String> jdk = new HashSet<>();

    SharedClasses() {
        super("shared", ClassLoader.getPlatformClassLoader());
        for (Module module : ModuleLayer.boot().modules()) {
            if (isJdk(module.getName())) {
                jdk.addAll(module.getPackages());
            }
        }
    }

    static boolean isJdk(String module) {
        return module.startsWith("java.") || module.startsWith("jdk.");
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        String in = name.substring(0, Math.max(0, name.lastIndexOf('.')));
        if (jdk.contains(in)) {
            return getParent().loadClass(name);
        }
        if (in.equals(API) || in.startsWith(API + ".")) {
            return Provider.class.getClassLoader().loadClass(name);
        }
        if (SLF4J.contains(in)) {
            return LoggerFactory.class.getClassLoader().loadClass(name);
        }
        // Java agents add classes here that the code they change must see.
        return Class.forName(name, false, null);
    }
}
