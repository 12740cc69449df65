package io.agentprm.cli.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A consumer on the module path: our modules and their libraries in a layer of their own. The
 * PyTorch engine is left out, since a JAR that it needs has no legal module name.
 */
class ModulePathTest {
    private static final Set<String> MODULES =
            Set.of(
                    "io.agentprm.api",
                    "io.agentprm.core",
                    "io.agentprm.algos",
                    "io.agentprm.lm",
                    "io.agentprm.env.alfworld",
                    "io.agentprm.env.webshop");

    private static ModuleLayer layer;

    @BeforeAll
    static void bootTheLayer() {
        ModuleFinder finder = ModuleFinder.of(modulePath().toArray(Path[]::new));
        Configuration configuration =
                ModuleLayer.boot()
                        .configuration()
                        .resolveAndBind(finder, ModuleFinder.of(), MODULES);
        layer =
                ModuleLayer.boot()
                        .defineModulesWithOneLoader(
                                configuration, ClassLoader.getPlatformClassLoader());
    }

    @Test
    void everyModuleOfOursIsNamedExplicitly() {
        for (String name : MODULES) {
            Module module = layer.findModule(name).orElseThrow();
            assertTrue(!module.getDescriptor().isAutomatic(), name);
        }
    }

    @Test
    void providersAreTheSameAsOnTheClassPath() throws ReflectiveOperationException {
        Set<String> onModulePath = providers(layer.findLoader("io.agentprm.core"));
        Set<String> onClassPath = new TreeSet<>();
        for (String provider : providers(ModulePathTest.class.getClassLoader())) {
            if (MODULES.stream().anyMatch(m -> provider.startsWith(m + "."))) {
                onClassPath.add(provider);
            }
        }
        assertTrue(onClassPath.size() > 3, "found " + onClassPath);
        assertEquals(onClassPath, onModulePath);
    }

    /** Class names of all providers that discovery finds when loaded by this loader. */
    private static Set<String> providers(ClassLoader loader) throws ReflectiveOperationException {
        Class<?> plugins = loader.loadClass("io.agentprm.core.plugin.Plugins");
        Object discovered = plugins.getMethod("discover").invoke(null);
        assertEquals(List.of(), plugins.getMethod("failures").invoke(discovered));
        Set<String> names = new TreeSet<>();
        for (Object plugin : (List<?>) plugins.getMethod("found").invoke(discovered)) {
            names.add(plugin.getClass().getMethod("provider").invoke(plugin).getClass().getName());
        }
        return names;
    }

    @Test
    void layerHasClassesOfItsOwn() throws ReflectiveOperationException {
        Class<?> there =
                layer.findLoader("io.agentprm.api").loadClass("io.agentprm.api.AgentPrmException");
        assertNotSame(io.agentprm.api.AgentPrmException.class, there);
        assertEquals("io.agentprm.api", there.getModule().getName());
    }

    /** Class path of this test without the engine, the command line and test libraries. */
    private static List<Path> modulePath() {
        List<Path> path = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path file = Path.of(entry);
            String text = entry.replace(File.separatorChar, '/');
            boolean ours = text.contains("/agentprm-") && text.contains("/target/");
            boolean wanted =
                    ours
                            ? Stream.of("api", "core", "algos", "lm", "env-alfworld", "env-webshop")
                                    .anyMatch(m -> text.contains("/agentprm-" + m + "/target/"))
                            : Stream.of("/com/fasterxml/", "/snakeyaml/", "/slf4j-api/", "/gson/")
                                            .anyMatch(text::contains)
                                    || text.contains("/org/apache/lucene/")
                                    || text.contains("/org/apache/opennlp/")
                                    || text.contains("/ai/djl/api/")
                                    || text.contains("/ai/djl/huggingface/");
            if (wanted && Files.exists(file)) {
                path.add(file);
            }
        }
        return path;
    }
}
