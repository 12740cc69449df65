package io.agentprm.cli.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The run of {@code tiny-run.yaml}, inside this JVM or as the command in one of its own. */
public final class TinyRun {
    /** Files that hold times, names of this start, or keys that change nothing. */
    private static final Set<String> OF_THIS_START =
            Set.of("config.yaml", "run.json", "run.lock", "report.html");

    private TinyRun() {}

    /** Runs it and returns what it printed; the exit code must be 0. */
    public static String run(Path directory, String... more) {
        return execute(new RunCommand(), arguments(directory, more));
    }

    /** Runs any command and returns what it printed; the exit code must be 0. */
    public static String execute(Runnable command, List<String> arguments) {
        StringWriter out = new StringWriter();
        CommandLine line = new CommandLine(command);
        PrintWriter writer = new PrintWriter(out, true);
        line.setExecutionExceptionHandler(
                (error, executed, parsed) -> {
                    error.printStackTrace(writer);
                    return 2;
                });
        int code =
                line.setOut(writer)
                        .setErr(new PrintWriter(new StringWriter()))
                        .execute(arguments.toArray(String[]::new));
        if (code != 0) {
            throw new AssertionError("exit code " + code + ": " + out);
        }
        return out.toString();
    }

    /** Starts the command in a JVM of its own; its output goes into a file beside the directory. */
    static Process start(Path directory, String... more) throws IOException {
        return start(directory, arguments(directory, more));
    }

    /** The same with any arguments. */
    static Process start(Path directory, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("io.agentprm.cli.Main", "run"));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(directory).toFile()))
                .start();
    }

    /** What the started commands printed. */
    static Path log(Path directory) {
        return directory.resolveSibling(directory.getFileName() + ".log");
    }

    private static List<String> arguments(Path directory, String... more) {
        Path config = directory.resolveSibling("tiny-run.yaml");
        try (InputStream in = TinyRun.class.getResourceAsStream("/tiny-run.yaml")) {
            Files.write(config, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> arguments =
                new ArrayList<>(List.of(config.toString(), "--out", directory.toString()));
        arguments.addAll(Arrays.asList(more));
        return arguments;
    }

    /** A checksum of every file that decides or holds a result, by path. */
    public static Map<String, Integer> contents(Path directory) throws IOException {
        Map<String, Integer> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = directory.relativize(file).toString();
                if (!OF_THIS_START.contains(name)) {
                    contents.put(name, Arrays.hashCode(Files.readAllBytes(file)));
                }
            }
        }
        return contents;
    }
}
