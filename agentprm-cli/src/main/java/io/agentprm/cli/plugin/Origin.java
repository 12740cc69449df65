package io.agentprm.cli.plugin;

import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;

/**
 * Where a class comes from, also for a JAR on the class path.
 *
 * @param module name of its module; {@code -} if there is none
 * @param version version in its manifest or module descriptor; {@code -} if there is none
 */
record Origin(String module, String version) {
    private static final String NONE = "-";

    static Origin of(Class<?> type) {
        Optional<ModuleDescriptor> descriptor =
                Optional.ofNullable(type.getModule().getDescriptor()).or(() -> ofJar(type));
        String version =
                Optional.ofNullable(type.getPackage().getImplementationVersion())
                        .or(() -> descriptor.flatMap(ModuleDescriptor::rawVersion))
                        .orElse(NONE);
        return new Origin(descriptor.map(ModuleDescriptor::name).orElse(NONE), version);
    }

    private static Optional<ModuleDescriptor> ofJar(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null || !"file".equals(source.getLocation().getProtocol())) {
            return Optional.empty();
        }
        try {
            return ModuleFinder.of(Path.of(source.getLocation().toURI())).findAll().stream()
                    .map(reference -> reference.descriptor())
                    .findFirst();
        } catch (URISyntaxException | FindException e) {
            // The name of a module is shown where there is one; a JAR without one is fine.
            return Optional.empty();
        }
    }
}
