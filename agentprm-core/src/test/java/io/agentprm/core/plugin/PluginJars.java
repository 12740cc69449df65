package io.agentprm.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.agentprm.api.plugin.EnvironmentProvider;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.spi.ToolProvider;

/** Compiles providers and packs them as a third party would. */
final class PluginJars {
    private static final String SERVICE =
            "META-INF/services/" + EnvironmentProvider.class.getName();

    private PluginJars() {}

    /** Source of an environment provider; {@code extra} goes before its methods. */
    static String provider(String className, String name, String extends_, String extra) {
        return """
        import io.agentprm.api.config.Default;
        import io.agentprm.api.env.Environment;
        import io.agentprm.api.run.RunContext;
        public class %s %s implements io.agentprm.api.plugin.EnvironmentProvider<%s.Config> {
            public record Config(@Default("1") int size) {}
            %s
            public String name() { return "%s"; }
            public String description() { return "A test."; }
            public Class<Config> configuration() { return Config.class; }
            public Environment create(Config configuration, RunContext context) { return null; }
        }
        """
                .formatted(className, extends_, className, extra, name);
    }

    /** Packs classes made from sources, without those named in {@code leftOut}. */
    static Path jar(
            Path directory,
            String name,
            Map<String, String> sources,
            List<String> listed,
            String leftOut)
            throws IOException {
        Path work = Files.createDirectory(directory.resolve(name + "-src"));
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-proc:none",
                                "-cp",
                                Path.of(
                                                EnvironmentProvider.class
                                                        .getProtectionDomain()
                                                        .getCodeSource()
                                                        .getLocation()
                                                        .getPath())
                                        .toString(),
                                "-d",
                                work.toString()));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = work.resolve(source.getKey() + ".java");
            Files.writeString(file, source.getValue());
            arguments.add(file.toString());
        }
        assertEquals(
                0,
                ToolProvider.findFirst("javac")
                        .orElseThrow()
                        .run(System.err, System.err, arguments.toArray(String[]::new)));
        Path jar = directory.resolve(name + ".jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out);
                var classes = Files.list(work)) {
            for (Path file : classes.sorted().toList()) {
                String entry = file.getFileName().toString();
                if (entry.endsWith(".class") && !entry.equals(leftOut + ".class")) {
                    entries.putNextEntry(new JarEntry(entry));
                    entries.write(Files.readAllBytes(file));
                }
            }
            entries.putNextEntry(new JarEntry(SERVICE));
            entries.write(String.join("\n", listed).getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }

    static URLClassLoader loader(Path... jars) throws IOException {
        URL[] urls = new URL[jars.length];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = jars[i].toUri().toURL();
        }
        return new URLClassLoader("plugins", urls, PluginJars.class.getClassLoader());
    }
}
