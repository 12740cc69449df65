package io.agentprm.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.agentprm.api.plugin.EnvironmentProvider;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** Compiles sources with the JDK's compiler and packs them as a third party would. */
final class TestJar {
    static final String SERVICE = "META-INF/services/" + EnvironmentProvider.class.getName();

    private final Path work;
    private final List<Path> sources = new ArrayList<>();
    private final List<Path> against = new ArrayList<>();
    private final Map<String, byte[]> files = new LinkedHashMap<>();
    private final Map<String, UnaryOperator<byte[]>> changes = new LinkedHashMap<>();
    private final Manifest manifest = new Manifest();
    private boolean module;

    private TestJar(Path work) {
        this.work = work;
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        for (Class<?> shared : SharedClasses.MODULES.values()) {
            against.add(path(shared));
        }
    }

    /** A JAR that is made in a directory of its own below this one. */
    static TestJar in(Path work) throws IOException {
        return new TestJar(Files.createTempDirectory(work, "jar"));
    }

    /** Source of an environment provider; {@code body} goes before its methods. */
    static String provider(String type, String name, String body) {
        return """
        package PACKAGE;
        import io.agentprm.api.config.Default;
        import io.agentprm.api.env.Environment;
        import io.agentprm.api.run.RunContext;
        public class TYPE implements io.agentprm.api.plugin.EnvironmentProvider<TYPE.Config> {
            public record Config(@Default("1") int size) {}
            BODY
            public String name() { return "NAME"; }
            public String description() { return flavour(); }
            public Class<Config> configuration() { return Config.class; }
            public Environment create(Config configuration, RunContext context) { return null; }
        }
        """
                .replace("BODY", body)
                .replace("NAME", name)
                .replace("PACKAGE", type.substring(0, type.lastIndexOf('.')))
                .replace("TYPE", type.substring(type.lastIndexOf('.') + 1))
                .replace("flavour()", body.contains("flavour()") ? "flavour()" : "\"A test.\"");
    }

    /** JAR or directory that a class of ours was loaded from. */
    static Path path(Class<?> type) {
        return Path.of(
                URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    /** A provider with a service file. */
    static TestJar plain(Path work, String type, String name) throws IOException {
        return in(work).source(type, provider(type, name, "")).lists(type);
    }

    TestJar source(String type, String text) throws IOException {
        Path file = work.resolve("src").resolve(type.replace('.', '/') + ".java");
        Files.createDirectories(file.getParent());
        sources.add(Files.writeString(file, text));
        return this;
    }

    TestJar module(String text) throws IOException {
        module = true;
        return source("module-info", text);
    }

    /** A line each in the service file of environments. */
    TestJar lists(String... lines) {
        return file(SERVICE, String.join("\n", lines));
    }

    TestJar file(String name, String text) {
        files.put(name, text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    TestJar attribute(String name, String value) {
        manifest.getMainAttributes().putValue(name, value);
        return this;
    }

    /** Compiles against that JAR too. */
    TestJar against(Path jar) {
        against.add(jar);
        return this;
    }

    TestJar without(String type) {
        return changed(type, bytes -> new byte[0]);
    }

    /** Packs the class file with that change; empty leaves it out. */
    TestJar changed(String type, UnaryOperator<byte[]> change) {
        changes.put(type.replace('.', '/') + ".class", change);
        return this;
    }

    Path write(Path jar) throws IOException {
        Path classes = Files.createDirectories(work.resolve("classes"));
        compile(classes);
        TreeMap<String, byte[]> entries = new TreeMap<>(files);
        try (Stream<Path> made = Files.walk(classes)) {
            for (Path file : made.filter(Files::isRegularFile).toList()) {
                String name = classes.relativize(file).toString().replace(File.separatorChar, '/');
                byte[] bytes =
                        changes.getOrDefault(name, UnaryOperator.identity())
                                .apply(Files.readAllBytes(file));
                if (bytes.length > 0) {
                    entries.put(name, bytes);
                }
            }
        }
        Files.createDirectories(jar.getParent());
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                out.putNextEntry(new JarEntry(entry.getKey()));
                out.write(entry.getValue());
            }
        }
        return jar;
    }

    private void compile(Path classes) {
        if (sources.isEmpty()) {
            return;
        }
        String path =
                String.join(File.pathSeparator, against.stream().map(Path::toString).toList());
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-proc:none",
                                module ? "--module-path" : "-cp",
                                path,
                                "-d",
                                classes.toString()));
        sources.forEach(source -> arguments.add(source.toString()));
        assertEquals(
                0,
                ToolProvider.findFirst("javac")
                        .orElseThrow()
                        .run(System.err, System.err, arguments.toArray(String[]::new)));
    }
}
