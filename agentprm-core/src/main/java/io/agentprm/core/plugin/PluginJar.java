package io.agentprm.core.plugin;

import io.agentprm.api.ApiVersion;
import io.agentprm.api.IoReasons;
import io.agentprm.core.RunException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.InvalidModuleDescriptorException;
import java.lang.module.ModuleDescriptor;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipFile;

/**
 * What a JAR says of itself, read before anything of it is loaded.
 *
 * @param path the file
 * @param module its module descriptor, if it has one
 * @param listed providers by kind of provider, as in {@code META-INF/services}
 * @param api version of the API that its manifest asks for, as written there
 */
record PluginJar(
        Path path,
        Optional<ModuleDescriptor> module,
        Map<String, List<String>> listed,
        Optional<String> api) {

    /**
     * Reads a JAR and closes it.
     *
     * @throws RunException if it cannot be read, or its module descriptor cannot
     */
    static PluginJar read(Path path) {
        try (JarFile jar =
                new JarFile(path.toFile(), true, ZipFile.OPEN_READ, JarFile.runtimeVersion())) {
            Manifest manifest = jar.getManifest();
            return new PluginJar(
                    path,
                    descriptor(jar),
                    serviceFiles(jar),
                    Optional.ofNullable(manifest)
                            .map(m -> m.getMainAttributes().getValue(ApiVersion.ATTRIBUTE)));
        } catch (InvalidModuleDescriptorException e) {
            throw new RunException(
                    path
                            + ": its module-info.class is damaged, or made for a newer Java than "
                            + JarFile.runtimeVersion().feature()
                            + " ("
                            + e.getMessage()
                            + ")",
                    e);
        } catch (SecurityException e) {
            throw new RunException(
                    path
                            + ": its signature does not fit ("
                            + e.getMessage()
                            + "); copy it again, or, if it was put together from other JARs, leave"
                            + " out their META-INF/*.SF, *.RSA and *.DSA",
                    e);
        } catch (IOException e) {
            throw unreadable(path, IoReasons.of(e), e);
        } catch (RuntimeException e) {
            throw unreadable(path, e.toString(), e);
        }
    }

    private static RunException unreadable(Path path, String reason, Exception cause) {
        return new RunException(
                path + " is no readable JAR (" + reason + "); copy it again, or remove it", cause);
    }

    private static Optional<ModuleDescriptor> descriptor(JarFile jar) throws IOException {
        JarEntry entry = jar.getJarEntry("module-info.class");
        if (entry == null) {
            return Optional.empty();
        }
        try (InputStream in = jar.getInputStream(entry)) {
            return Optional.of(ModuleDescriptor.read(in));
        }
    }

    private static Map<String, List<String>> serviceFiles(JarFile jar) throws IOException {
        Map<String, List<String>> files = new LinkedHashMap<>();
        for (ProviderKind<?> kind : ProviderKind.all()) {
            String service = kind.type().getName();
            JarEntry entry = jar.getJarEntry(ServiceFile.DIRECTORY + service);
            if (entry != null) {
                files.put(service, ServiceFile.read(jar.getInputStream(entry)));
            }
        }
        return files;
    }

    /** Providers that only the module descriptor names; where JARs are no modules, nobody looks. */
    Map<String, List<String>> onlyProvided() {
        return without(provided(), listed);
    }

    /** Whether it is a module that provides all that its service files list. */
    boolean completeModule() {
        return module.isPresent() && without(listed, provided()).isEmpty();
    }

    /** Classes of providers, wherever it names them. */
    Set<String> providers() {
        Set<String> all = new TreeSet<>();
        listed.values().forEach(all::addAll);
        provided().values().forEach(all::addAll);
        return all;
    }

    /** Whether it is a copy of what plugins have from the application anyway. */
    boolean shared() {
        return module.map(ModuleDescriptor::name)
                .filter(SharedClasses.MODULES::containsKey)
                .isPresent();
    }

    /**
     * Refuses a JAR that was built for another version of the API; one that does not say is taken.
     *
     * @throws RunException with what to do
     */
    void requireCompatible() {
        if (api.isEmpty()) {
            return;
        }
        String wanted = api.get();
        Optional<ApiVersion> builtFor = ApiVersion.parse(wanted);
        if (builtFor.isEmpty()) {
            throw new RunException(
                    path
                            + ": "
                            + ApiVersion.ATTRIBUTE
                            + " in its manifest is '"
                            + wanted
                            + "'; it must be a version such as "
                            + ApiVersion.current());
        }
        if (!ApiVersion.current().runs(builtFor.get())) {
            boolean older = builtFor.get().major() < ApiVersion.current().major();
            throw new RunException(
                    path
                            + " was built for version "
                            + builtFor.get()
                            + " of the AgentPRM API, this is "
                            + ApiVersion.current()
                            + "; "
                            + (older ? "get a newer release of the plugin" : "update AgentPRM")
                            + ", or build the plugin against agentprm-api of this version");
        }
    }

    /**
     * Where it is.
     *
     * @throws RunException if Java cannot load from there
     */
    URL url() {
        URI uri = path.toUri();
        if (uri.toString().contains("!/")) {
            throw new RunException(
                    path
                            + ": Java loads nothing from a folder whose name ends with '!'; rename it");
        }
        try {
            return uri.toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("no URL: " + path, e);
        }
    }

    private Map<String, List<String>> provided() {
        Map<String, List<String>> all = new LinkedHashMap<>();
        for (ProviderKind<?> kind : ProviderKind.all()) {
            String service = kind.type().getName();
            module.stream()
                    .flatMap(m -> m.provides().stream())
                    .filter(provides -> provides.service().equals(service))
                    .forEach(provides -> all.put(service, provides.providers()));
        }
        return all;
    }

    private static Map<String, List<String>> without(
            Map<String, List<String>> some, Map<String, List<String>> others) {
        Map<String, List<String>> rest = new LinkedHashMap<>();
        some.forEach(
                (service, names) -> {
                    List<String> left = new ArrayList<>(names);
                    left.removeAll(others.getOrDefault(service, List.of()));
                    if (!left.isEmpty()) {
                        rest.put(service, left);
                    }
                });
        return rest;
    }
}
