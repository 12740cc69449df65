package io.agentprm.core.plugin;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A module without classes by the name of one that plugins require. Where the application runs on
 * the class path, the API is in no module, yet a plugin's descriptor says {@code requires
 * io.agentprm.api}. It exports the package of the providers, since nobody may provide what is not
 * exported to him.
 */
final class StandIn extends ModuleReference {
    private StandIn(String name, Class<?> shared) {
        super(ModuleDescriptor.newModule(name).exports(shared.getPackageName()).build(), null);
    }

    /** Finds stand-ins of those shared modules that are no modules here. */
    static ModuleFinder finder() {
        return new ModuleFinder() {
            @Override
            public Optional<ModuleReference> find(String name) {
                return Optional.ofNullable(SharedClasses.MODULES.get(name))
                        .filter(type -> !type.getModule().isNamed())
                        .map(type -> new StandIn(name, type));
            }

            @Override
            public Set<ModuleReference> findAll() {
                Set<ModuleReference> all = new HashSet<>();
                SharedClasses.MODULES.keySet().forEach(name -> find(name).ifPresent(all::add));
                return all;
            }
        };
    }

    @Override
    public ModuleReader open() throws IOException {
        throw new IOException(descriptor().name() + " has no classes");
    }
}
