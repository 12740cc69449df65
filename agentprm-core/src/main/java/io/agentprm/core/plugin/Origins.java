package io.agentprm.core.plugin;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Where providers come from, for messages. */
final class Origins {
    private static final String UNKNOWN = "unknown";

    /** A provider as its service file lists it. */
    record Listed(String className, String location) {}

    private Origins() {}

    static String of(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source != null && source.getLocation() != null) {
            return place(source.getLocation().toString());
        }
        return type.getModule().isNamed() ? "module " + type.getModule().getName() : UNKNOWN;
    }

    /** A URL as people write the place: the path of a file; any other one as it is. */
    static String place(String url) {
        String file = url.startsWith("jar:") ? url.substring("jar:".length()) : url;
        try {
            return file.startsWith("file:") ? Path.of(URI.create(file)).toString() : url;
        } catch (IllegalArgumentException e) {
            // Not every text of a URL is a URI; it is good enough for a message.
            return url;
        }
    }

    /** The JAR that a class was loaded from. */
    static Optional<Path> jar(Class<?> type) {
        return Optional.ofNullable(type.getProtectionDomain().getCodeSource())
                .flatMap(source -> Optional.ofNullable(source.getLocation()))
                .filter(url -> url.getProtocol().equals("file") && url.getPath().endsWith(".jar"))
                .map(url -> Path.of(URI.create(url.toString())));
    }

    /**
     * The provider whose class does not load, if possible none of the known ones. The error of a
     * class that is missing names the missing one, not the provider that wants it, so the listed
     * ones are tried one by one.
     */
    static Optional<Listed> culprit(Class<?> service, ClassLoader loader, Set<Listed> known) {
        List<Listed> broken =
                listed(service, loader).stream()
                        .filter(listed -> !loads(listed.className(), loader))
                        .toList();
        return broken.stream()
                .filter(listed -> !known.contains(listed))
                .findFirst()
                .or(() -> broken.stream().findFirst());
    }

    private static boolean loads(String className, ClassLoader loader) {
        try {
            Class.forName(className, false, loader);
            return true;
        } catch (ClassNotFoundException | LinkageError | RuntimeException e) {
            return false;
        }
    }

    /** Where the service file lists a class. */
    static String of(String className, Class<?> service, ClassLoader loader) {
        return listed(service, loader).stream()
                .filter(listed -> listed.className().equals(className))
                .map(Listed::location)
                .findFirst()
                .orElse(UNKNOWN);
    }

    private static List<Listed> listed(Class<?> service, ClassLoader loader) {
        String resource = ServiceFile.DIRECTORY + service.getName();
        List<Listed> all = new ArrayList<>();
        try {
            for (URL url : Collections.list(loader.getResources(resource))) {
                String location = place(url.toString().replace("!/" + resource, ""));
                ServiceFile.read(UncachedUrl.open(url).getInputStream())
                        .forEach(name -> all.add(new Listed(name, location)));
            }
        } catch (IOException | SecurityException e) {
            // The place is a service of the message: the failure itself is reported without it.
            return all;
        }
        return all;
    }
}
