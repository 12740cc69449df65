package io.agentprm.core.plugin;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Loads the classes of one plugin from its JARs, as named modules or not; everything else it has
 * from {@link SharedClasses}. Closing it closes the JARs.
 */
final class PluginClassLoader extends URLClassLoader {
    private final Map<String, List<URL>> declared = new HashMap<>();
    private final Map<String, String> places = new HashMap<>();

    PluginClassLoader(Path place, List<PluginJar> jars) {
        super(
                place.toString(),
                jars.stream().map(PluginJar::url).toArray(URL[]::new),
                new SharedClasses());
        for (PluginJar jar : jars) {
            String root = "jar:" + jar.url() + "!/";
            jar.module().ifPresent(module -> places.putIfAbsent(module.name(), root));
            jar.onlyProvided()
                    .forEach(
                            (service, names) -> {
                                String file = ServiceFile.DIRECTORY + service;
                                byte[] text =
                                        String.join("\n", names).getBytes(StandardCharsets.UTF_8);
                                declared.computeIfAbsent(file, f -> new ArrayList<>())
                                        .add(UncachedUrl.of(root + file, text));
                            });
        }
    }

    @Override
    public URL findResource(String name) {
        URL found = super.findResource(name);
        return found == null ? null : UncachedUrl.of(found);
    }

    /** What the JARs hold, and service files in the place of a module's {@code provides}. */
    @Override
    public Enumeration<URL> findResources(String name) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (URL url : Collections.list(super.findResources(name))) {
            urls.add(UncachedUrl.of(url));
        }
        urls.addAll(declared.getOrDefault(name, List.of()));
        return Collections.enumeration(urls);
    }

    @Override
    protected Class<?> findClass(String module, String name) {
        try {
            return findClass(name);
        } catch (ClassNotFoundException e) {
            // The contract of this method: nothing found is null.
            return null;
        }
    }

    @Override
    protected URL findResource(String module, String name) throws IOException {
        if (module == null) {
            return findResource(name);
        }
        String root = places.getOrDefault(module, "");
        for (URL url : Collections.list(super.findResources(name))) {
            if (!root.isEmpty() && url.toExternalForm().startsWith(root)) {
                return UncachedUrl.of(url);
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return getName();
    }
}
