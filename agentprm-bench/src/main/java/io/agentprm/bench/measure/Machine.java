package io.agentprm.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Where and under what settings a benchmark runs: figures mean nothing without it. */
public final class Machine {
    private static final List<String> SETTINGS =
            List.of(
                    "OMP_WAIT_POLICY",
                    "KMP_BLOCKTIME",
                    "GOMP_SPINCOUNT",
                    "OMP_NUM_THREADS",
                    "OPENBLAS_CORETYPE");

    private Machine() {}

    /** Processor, load, Java and the settings that matrix products depend on. */
    public static String describe() {
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "%s, %d processors, %s%nJava %s (%s)",
                        processor(),
                        Runtime.getRuntime().availableProcessors(),
                        load(),
                        Runtime.version(),
                        System.getProperty("java.vm.name")));
        for (String name : SETTINGS) {
            Optional.ofNullable(System.getenv(name))
                    .ifPresent(value -> text.append(", ").append(name).append('=').append(value));
        }
        return text.toString();
    }

    /** The machine's load over the last minute, in words. */
    public static String load() {
        return String.format(Locale.ROOT, "load %.1f", new CpuClock().load());
    }

    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }
}
