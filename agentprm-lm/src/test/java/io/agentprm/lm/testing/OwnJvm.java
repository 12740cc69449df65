package io.agentprm.lm.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A program in a JVM of its own: what a process settles once, or lacks, is tested there. */
public final class OwnJvm {
    private OwnJvm() {}

    /**
     * Runs a program on the class path of the tests and returns what it printed, errors included.
     *
     * @param program class with a main method, which has to end without an exception
     * @param kept which JARs and folders of the class path it gets, by file name
     * @param options of the JVM
     */
    public static String run(Class<?> program, Predicate<String> kept, String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(options));
        command.addAll(
                List.of(
                        "-cp",
                        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                                .filter(e -> kept.test(Path.of(e).getFileName().toString()))
                                .collect(Collectors.joining(File.pathSeparator)),
                        program.getName()));
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String printed =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError(program + " failed:\n" + printed);
            }
            return printed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
