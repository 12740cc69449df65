package io.agentprm.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.agentprm.api.AgentPrmException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** Plugins made of sources among the test resources, by the JDK's own tools. */
public final class PluginJar {
    private PluginJar() {}

    /**
     * Compiles and packs a plugin.
     *
     * @param work where everything is made
     * @param sources resource that holds its sources
     * @return a plugin directory with the JAR
     */
    public static Path in(Path work, String sources) throws Exception {
        Path classes = work.resolve("classes");
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-proc:none",
                                "--module-path",
                                Path.of(uri(AgentPrmException.class)).toString(),
                                "-d",
                                classes.toString()));
        try (Stream<Path> files = Files.walk(resource(sources))) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .forEach(file -> arguments.add(file.toString()));
        }
        run("javac", arguments);
        Path plugins = Files.createDirectory(work.resolve("plugins"));
        Path manifest =
                Files.writeString(
                        work.resolve("manifest"),
                        "AgentPRM-API: 1.0\nImplementation-Version: 2.5\n");
        run(
                "jar",
                List.of(
                        "--create",
                        "--file",
                        plugins.resolve("plugin.jar").toString(),
                        "--manifest",
                        manifest.toString(),
                        "-C",
                        classes.toString(),
                        "."));
        return plugins;
    }

    private static void run(String tool, List<String> arguments) {
        assertEquals(
                0,
                ToolProvider.findFirst(tool)
                        .orElseThrow()
                        .run(System.out, System.err, arguments.toArray(String[]::new)));
    }

    private static Path resource(String name) throws URISyntaxException {
        return Path.of(PluginJar.class.getResource(name).toURI());
    }

    private static URI uri(Class<?> type) {
        return URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString());
    }
}
