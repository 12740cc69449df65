package io.agentprm.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.ApiVersion;
import io.agentprm.api.run.RunContext;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.config.ConfigException;
import io.agentprm.core.config.ConfigNode;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PluginsTest {
    @TempDir Path directory;

    private static List<String> names(Plugins plugins) {
        return plugins.of(ProviderKind.ENVIRONMENT).stream().map(Plugin::name).toList();
    }

    private Path good(String jar, String className, String name) throws Exception {
        return PluginJars.jar(
                directory,
                jar,
                Map.of(className, PluginJars.provider(className, name, "", "")),
                List.of(className),
                "");
    }

    @Test
    void aProviderThatFailsToLoadIsReportedAndStopsNobodyElse() throws Exception {
        Path bad =
                PluginJars.jar(
                        directory,
                        "bad",
                        Map.of(
                                "Throwing",
                                PluginJars.provider(
                                        "Throwing",
                                        "throwing",
                                        "",
                                        "public Throwing() { throw new"
                                                + " IllegalArgumentException(\"no licence\"); }"),
                                "Base",
                                "public class Base {}",
                                "Orphan",
                                PluginJars.provider("Orphan", "orphan", "extends Base", ""),
                                "Capital",
                                PluginJars.provider("Capital", "Capital Letters", "", "")),
                        List.of("Orphan", "Throwing", "Vanished", "Capital"),
                        "Base");
        Path good = good("good", "Good", "good");
        try (URLClassLoader loader = PluginJars.loader(bad, good)) {
            Plugins plugins = Plugins.discover(List.of(loader));
            assertTrue(names(plugins).contains("good"));
            Map<String, PluginFailure> failures = new java.util.TreeMap<>();
            plugins.failures().forEach(failure -> failures.put(failure.provider(), failure));
            assertEquals(
                    List.of("Capital", "Orphan", "Throwing", "Vanished"),
                    List.copyOf(failures.keySet()));
            for (PluginFailure failure : failures.values()) {
                assertTrue(failure.location().contains("bad.jar"), failure.toString());
            }
            assertTrue(failures.get("Throwing").toString().contains("no licence"));
            assertTrue(failures.get("Orphan").toString().contains("ClassNotFoundException: Base"));
            assertTrue(failures.get("Vanished").toString().contains("not found"));
            assertTrue(failures.get("Capital").toString().contains("a-z, 0-9"));
        }
    }

    @Test
    void aFailureSeenThroughTwoLoadersIsReportedOnce() throws Exception {
        Path bad =
                PluginJars.jar(
                        directory,
                        "bad",
                        Map.of(
                                "Base",
                                "public class Base {}",
                                "Orphan",
                                PluginJars.provider("Orphan", "orphan", "extends Base", "")),
                        List.of("Orphan", "Vanished"),
                        "Base");
        try (URLClassLoader parent = PluginJars.loader(bad);
                URLClassLoader child = new URLClassLoader(new java.net.URL[0], parent)) {
            assertEquals(2, Plugins.discover(List.of(parent, child)).failures().size());
        }
    }

    @Test
    void theFirstProviderOfANameIsUsedAndTheSecondReported() throws Exception {
        try (URLClassLoader first = PluginJars.loader(good("first", "First", "same"));
                URLClassLoader second = PluginJars.loader(good("second", "Second", "same"))) {
            Plugins plugins = Plugins.discover(List.of(first, second));
            assertEquals(
                    "First", plugins.find(ProviderKind.ENVIRONMENT, "same").getClass().getName());
            PluginFailure failure = plugins.failures().get(0);
            assertEquals("Second", failure.provider());
            assertTrue(failure.toString().contains("first.jar"), failure.toString());
        }
    }

    /** What lies on a class path was loaded before anybody could ask; the provider is refused. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aProviderForAnotherVersionOfTheApiIsRefusedOnTheClassPathToo(boolean parent)
            throws Exception {
        Path old =
                TestJar.plain(directory, "old.Old", "old")
                        .attribute(ApiVersion.ATTRIBUTE, "0.9")
                        .write(directory.resolve("old 1.jar"));
        Path good = good("good", "Good", "good");
        try (URLClassLoader loader = PluginJars.loader(old, good);
                URLClassLoader child = new URLClassLoader(new java.net.URL[0], loader)) {
            Plugins plugins = Plugins.discover(List.of(parent ? child : loader));
            assertEquals("good", plugins.find(ProviderKind.ENVIRONMENT, "good").name());
            PluginFailure failure = plugins.failures().get(0);
            assertEquals(old.toString(), failure.location());
            assertTrue(failure.reason().contains("built for version 0.9"), failure.reason());
        }
    }

    @Test
    void discoveryDoesNotDependOnTheThreadsContextClassLoader() throws Exception {
        try (URLClassLoader loader = PluginJars.loader(good("good", "Good", "good"))) {
            List<String> expected = names(Plugins.discover(List.of(loader)));
            assertEquals(
                    expected,
                    CompletableFuture.supplyAsync(
                                    () -> {
                                        Thread thread = Thread.currentThread();
                                        ClassLoader before = thread.getContextClassLoader();
                                        thread.setContextClassLoader(null);
                                        try {
                                            return names(Plugins.discover(List.of(loader)));
                                        } finally {
                                            thread.setContextClassLoader(before);
                                        }
                                    })
                            .get());
        }
    }

    @Test
    void sixteenThreadsAtOnceSeeTheSameProviders() throws Exception {
        try (URLClassLoader loader = PluginJars.loader(good("good", "Good", "good"))) {
            List<String> expected = names(Plugins.discover(List.of(loader)));
            Plugins shared = Plugins.discover(List.of(loader));
            ExecutorService threads = Executors.newFixedThreadPool(16);
            try {
                List<Future<List<String>>> results = new ArrayList<>();
                for (int i = 0; i < 16; i++) {
                    boolean own = i % 2 == 0;
                    results.add(
                            threads.submit(
                                    () -> names(own ? Plugins.discover(List.of(loader)) : shared)));
                }
                for (Future<List<String>> result : results) {
                    assertEquals(expected, result.get());
                }
            } finally {
                threads.shutdownNow();
            }
        }
    }

    @Test
    void anUnknownNameSaysWhatThereIsAndWhereWasLooked() throws Exception {
        try (URLClassLoader loader = PluginJars.loader(good("good", "Good", "good"))) {
            Plugins plugins = Plugins.discover(List.of(loader));
            String message =
                    assertThrows(
                                    RunException.class,
                                    () -> plugins.find(ProviderKind.ENVIRONMENT, "goood"))
                            .getMessage();
            assertTrue(
                    message.startsWith("there is no environment 'goood'; did you mean 'good'?"),
                    message);
            assertTrue(message.contains("good"), message);
            assertTrue(
                    message.contains("looked in: [class path and module path, plugins]"), message);
        }
    }

    @Test
    void componentsAreMadeFromNameAndSettings() throws Exception {
        try (URLClassLoader loader = PluginJars.loader(good("good", "Good", "good"))) {
            ComponentFactory factory = new ComponentFactory(Plugins.discover(List.of(loader)));
            ComponentConfig resolved =
                    factory.resolve(ProviderKind.ENVIRONMENT, ComponentConfig.of("good"));
            assertEquals(ConfigNode.parse("size: 1", ""), resolved.settings());
            ComponentConfig wrong =
                    new ComponentConfig("good", ConfigNode.parse("sise: 1", "run.yaml"));
            assertThrows(
                    ConfigException.class, () -> factory.environment(wrong, RunContext.ofSeed(1)));
        }
    }

    @Test
    void askingForAComponentThatTheRunLacksSaysSo() {
        RunException e =
                assertThrows(
                        RunException.class, () -> RunComponents.builder().build().rewardModel());
        assertTrue(e.getMessage().contains("reward model"), e.getMessage());
    }

    @Test
    void anUnknownNameStandsWithItsPlaceAndWhatCouldNotBeRead() {
        ComponentFactory factory =
                new ComponentFactory(
                        Plugins.discover(
                                List.of(),
                                List.of(
                                        PluginFailure.of(
                                                Path.of("x.jar"),
                                                new RunException("x.jar is no JAR"))),
                                List.of()));
        ComponentConfig wrong = new ComponentConfig("none", ConfigNode.parse("{}", "run.yaml"));
        String message =
                assertThrows(
                                RunException.class,
                                () ->
                                        factory.resolve(
                                                ProviderKind.ENVIRONMENT, wrong, "environment"))
                        .getMessage();
        assertTrue(message.startsWith("run.yaml:1:1: environment: there is no"), message);
        assertTrue(message.contains("x.jar is no JAR"), message);
    }

    @Test
    void aProviderThatFailsOrGivesNothingIsNamed() throws Exception {
        String throwing =
                PluginJars.provider("Bad", "bad", "", "")
                        .replace("return null;", "throw new IllegalArgumentException(\"size\");");
        String lacking =
                PluginJars.provider("Lacking", "lacking", "", "")
                        .replace("return null;", "throw new NoClassDefFoundError(\"lib/Part\");");
        String deep =
                PluginJars.provider("Deep", "deep", "", "")
                        .replace("return null;", "throw new StackOverflowError();");
        String silent =
                PluginJars.provider("Silent", "silent", "", "")
                        .replace(
                                "return null;",
                                "return (Environment) java.lang.reflect.Proxy.newProxyInstance("
                                        + "Silent.class.getClassLoader(),"
                                        + " new Class<?>[] {Environment.class},"
                                        + " (proxy, method, arguments) -> null);");
        Path jar =
                PluginJars.jar(
                        directory,
                        "plugin",
                        Map.of(
                                "Deep",
                                deep,
                                "Silent",
                                silent,
                                "Bad",
                                throwing,
                                "Lacking",
                                lacking,
                                "Null",
                                PluginJars.provider("Null", "null", "", "")),
                        List.of("Bad", "Deep", "Lacking", "Null", "Silent"),
                        "");
        try (URLClassLoader loader = PluginJars.loader(jar)) {
            ComponentFactory factory = new ComponentFactory(Plugins.discover(List.of(loader)));
            for (var expected :
                    Map.of(
                                    "bad",
                                    "size",
                                    "deep",
                                    "StackOverflowError",
                                    "lacking",
                                    "lib/Part",
                                    "null",
                                    "gave null",
                                    "silent",
                                    "info() gave null")
                            .entrySet()) {
                String message =
                        assertThrows(
                                        RunException.class,
                                        () ->
                                                factory.environment(
                                                        ComponentConfig.of(expected.getKey()),
                                                        RunContext.ofSeed(1)))
                                .getMessage();
                assertTrue(message.contains("'" + expected.getKey() + "'"), message);
                assertTrue(message.contains(expected.getValue()), message);
                assertTrue(message.contains("plugin.jar"), message);
            }
        }
    }
}
