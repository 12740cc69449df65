package io.agentprm.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.agentprm.api.AgentPrmException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * The Java code of one page, taken as the sources of one project: what imports JUnit or the testkit
 * are its tests, a module descriptor makes it a plugin.
 */
final class JavaCode {
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final Pattern TYPE =
            Pattern.compile("(?m)^(?:public |final )*(?:class|record|interface|enum) (\\w+)");

    private final Path directory;
    private final List<CodeBlock> blocks;
    private Optional<Path> classes = Optional.empty();

    JavaCode(List<CodeBlock> blocks, Path directory) {
        this.blocks = blocks;
        this.directory = directory;
    }

    static boolean isTest(CodeBlock block) {
        return block.text().contains("import org.junit.")
                || block.text().contains("import io.agentprm.testkit.");
    }

    static boolean isProgram(CodeBlock block) {
        return block.text().contains("public static void main(");
    }

    private static boolean isModule(CodeBlock block) {
        return block.text().startsWith("module ");
    }

    /** Name of a block's type, with its package. */
    static String name(CodeBlock block) {
        Matcher named = PACKAGE.matcher(block.text());
        String prefix = named.find() ? named.group(1) + "." : "";
        return isModule(block) ? "module-info" : prefix + simpleName(block);
    }

    static String simpleName(CodeBlock block) {
        Matcher type = TYPE.matcher(block.text());
        assertTrue(type.find(), "no type in\n" + block.text());
        return type.group(1);
    }

    /** Compiles all blocks, the first time. */
    private Path classes() throws IOException {
        if (classes.isEmpty()) {
            Path main = directory.resolve("classes");
            List<String> options = new ArrayList<>(List.of("-d", main.toString()));
            if (blocks.stream().anyMatch(JavaCode::isModule)) {
                options.addAll(List.of("--module-path", location(AgentPrmException.class)));
            }
            compile(options, blocks.stream().filter(block -> !isTest(block)).toList());
            // Tests see what they test as the class path does.
            compile(
                    List.of(
                            "-d",
                            directory.resolve("test-classes").toString(),
                            "-cp",
                            main + System.getProperty("path.separator") + classPath()),
                    blocks.stream().filter(JavaCode::isTest).toList());
            classes = Optional.of(main);
        }
        return classes.get();
    }

    private void compile(List<String> options, List<CodeBlock> sources) throws IOException {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-proc:none",
                                "--release",
                                "17",
                                "-Xlint:deprecation,rawtypes,unchecked",
                                "-Werror"));
        arguments.addAll(options);
        if (!options.contains("--module-path") && !options.contains("-cp")) {
            arguments.addAll(List.of("-cp", classPath()));
        }
        for (CodeBlock source : sources) {
            Path file = directory.resolve("src").resolve(name(source).replace('.', '/') + ".java");
            Files.createDirectories(file.getParent());
            arguments.add(Files.writeString(file, source.text()).toString());
        }
        if (!sources.isEmpty()) {
            tool("javac", arguments);
        }
    }

    /** Compiles a block with the others of its page. */
    void compile() throws IOException {
        classes();
    }

    /** Runs the tests of a block; there must be some, and all must pass. */
    void test(CodeBlock block) throws Exception {
        try (URLClassLoader loader = loader()) {
            LauncherDiscoveryRequest request =
                    LauncherDiscoveryRequestBuilder.request()
                            .selectors(selectClass(loader.loadClass(name(block))))
                            .build();
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            LauncherFactory.create().execute(request, listener);
            assertEquals(
                    List.of(),
                    listener.getSummary().getFailures().stream()
                            .map(f -> f.getTestIdentifier().getDisplayName() + f.getException())
                            .toList());
            assertTrue(listener.getSummary().getTestsSucceededCount() > 0, "no tests");
        }
    }

    /** Runs a program inside this JVM and returns what it printed; it must print something. */
    String run(String simpleName, List<String> arguments) throws Exception {
        CodeBlock block =
                blocks.stream()
                        .filter(b -> isProgram(b) && simpleName(b).equals(simpleName))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("no program " + simpleName));
        PrintStream screen = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (URLClassLoader loader = loader()) {
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            loader.loadClass(name(block))
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) arguments.toArray(String[]::new));
        } finally {
            System.setOut(screen);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    /** A plugin directory with the JAR of the page, if it is a plugin. */
    Optional<Path> plugins() throws IOException {
        Path plugins = directory.resolve("plugins");
        if (blocks.stream().noneMatch(JavaCode::isModule)) {
            return Optional.empty();
        }
        if (Files.notExists(plugins)) {
            Path compiled = classes();
            Files.createDirectories(plugins);
            tool(
                    "jar",
                    List.of(
                            "--create",
                            "--file",
                            plugins.resolve("page.jar").toString(),
                            "-C",
                            compiled.toString(),
                            "."));
        }
        return Optional.of(plugins);
    }

    private URLClassLoader loader() throws IOException {
        Path main = classes();
        return new URLClassLoader(
                new URL[] {
                    main.toUri().toURL(), directory.resolve("test-classes/").toUri().toURL()
                },
                JavaCode.class.getClassLoader());
    }

    private static void tool(String tool, List<String> arguments) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
        int code =
                ToolProvider.findFirst(tool)
                        .orElseThrow()
                        .run(stream, stream, arguments.toArray(String[]::new));
        assertEquals(0, code, () -> tool + ": " + printed.toString(StandardCharsets.UTF_8));
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    private static String location(Class<?> type) {
        return Path.of(
                        URI.create(
                                type.getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toString()))
                .toString();
    }

    @Override
    public String toString() {
        return blocks.stream().map(JavaCode::name).collect(Collectors.joining(", "));
    }
}
