package io.agentprm.core.plugin;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
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
            return source.getLocation().toString();
        }
        return type.getModule().isNamed() ? "module " + type.getModule().getName() : UNKNOWN;
    }

    /**
     * The provider whose class does not load. The error of a class that is missing names the
     * missing one, not the provider that wants it, so the listed ones are tried one by one.
     */
    static Optional<Listed> culprit(Class<?> service, ClassLoader loader, Set<String> known) {
        for (Listed listed : listed(service, loader)) {
            if (!known.contains(listed.className())) {
                try {
                    Class.forName(listed.className(), false, loader);
                } catch (ClassNotFoundException | LinkageError e) {
                    return Optional.of(listed);
                }
            }
        }
        return Optional.empty();
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
        String resource = "META-INF/services/" + service.getName();
        List<Listed> all = new ArrayList<>();
        try {
            for (URL url : Collections.list(loader.getResources(resource))) {
                String location = url.toString().replace("!/" + resource, "");
                try (BufferedReader lines =
                        new BufferedReader(
                                new InputStreamReader(url.openStream(), StandardCharsets.UTF_8))) {
                    lines.lines()
                            .map(line -> line.replaceFirst("#.*", "").strip())
                            .filter(line -> !line.isEmpty())
                            .forEach(name -> all.add(new Listed(name, location)));
                }
            }
        } catch (IOException e) {
            // The place is a service of the message: the failure itself is reported without it.
            return all;
        }
        return all;
    }
}
