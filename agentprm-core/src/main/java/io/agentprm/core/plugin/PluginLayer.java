package io.agentprm.core.plugin;

import io.agentprm.api.plugin.Provider;
import io.agentprm.core.RunException;
import java.lang.module.Configuration;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.module.ResolutionException;
import java.lang.module.ResolvedModule;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes the JARs of a plugin named modules, in a layer of their own above the application's. */
final class PluginLayer {
    private PluginLayer() {}

    /**
     * Defines the modules to the plugin's loader.
     *
     * @throws RunException if they cannot be put together
     */
    static void define(List<PluginJar> jars, PluginClassLoader loader) {
        Module api = Provider.class.getModule();
        ModuleLayer parent = api.isNamed() ? api.getLayer() : ModuleLayer.boot();
        try {
            ModuleFinder own =
                    ModuleFinder.of(
                            jars.stream()
                                    .filter(jar -> !jar.shared())
                                    .map(PluginJar::path)
                                    .toArray(Path[]::new));
            Set<String> roots =
                    own.findAll().stream()
                            .map(ModuleReference::descriptor)
                            .map(descriptor -> descriptor.name())
                            .collect(Collectors.toSet());
            Configuration modules =
                    parent.configuration()
                            .resolve(
                                    ModuleFinder.compose(own, StandIn.finder()),
                                    ModuleFinder.of(),
                                    roots);
            requireOwn(modules);
            ModuleLayer.Controller controller =
                    ModuleLayer.defineModules(
                            modules,
                            List.of(parent),
                            name ->
                                    SharedClasses.MODULES.containsKey(name)
                                            ? loader.getParent()
                                            : loader);
            for (Module module : controller.layer().modules()) {
                // On the class path the shared classes are in no module that could be required.
                SharedClasses.MODULES.values().stream()
                        .map(Class::getModule)
                        .filter(shared -> !shared.isNamed())
                        .forEach(shared -> controller.addReads(module, shared));
            }
        } catch (FindException | ResolutionException | LayerInstantiationException e) {
            throw new RunException(
                    "its modules do not fit together: "
                            + e.getMessage()
                            + "; put each module that is missing into the plugin's directory, or,"
                            + " if it is part of the JDK, start Java with --add-modules",
                    e);
        }
    }

    /** A library of the application must not slip in where it happens to be a module, too. */
    private static void requireOwn(Configuration modules) {
        for (ResolvedModule module : modules.modules()) {
            for (ResolvedModule read : module.reads()) {
                if (read.configuration() != modules
                        && !SharedClasses.isJdk(read.name())
                        && !SharedClasses.MODULES.containsKey(read.name())) {
                    throw new FindException(
                            "Module " + read.name() + " not found, required by " + module.name());
                }
            }
        }
    }
}
