package io.agentprm.bench.games;

import io.agentprm.bench.measure.BenchmarkException;
import java.io.PrintWriter;
import java.util.Locale;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.Statistics;
import picocli.CommandLine.Option;

/** How long JMH measures, as options of a command. */
final class JmhSettings {
    @Option(
            names = "--forks",
            defaultValue = "3",
            description = "JVMs; 0 stays in this one (default: ${DEFAULT-VALUE}).")
    private int forks;

    @Option(
            names = "--iterations",
            defaultValue = "5",
            description = "Of warm-up, and of measurement (default: ${DEFAULT-VALUE}).")
    private int iterations;

    @Option(
            names = "--seconds",
            defaultValue = "2",
            description = "Of an iteration (default: ${DEFAULT-VALUE}).")
    private double seconds;

    /** Runs all benchmarks of a class on one thread and prints their figures. */
    void run(Class<?> benchmark, PrintWriter out) {
        TimeValue time = TimeValue.milliseconds(Math.round(seconds * 1000));
        try {
            for (RunResult result :
                    new Runner(
                                    new OptionsBuilder()
                                            .include(benchmark.getName())
                                            .forks(forks)
                                            .threads(1)
                                            .warmupIterations(iterations)
                                            .warmupTime(time)
                                            .measurementIterations(iterations)
                                            .measurementTime(time)
                                            .addProfiler(SharedMachineProfiler.class)
                                            .build())
                            .run()) {
                print(out, result.getPrimaryResult());
                result.getSecondaryResults().values().forEach(extra -> print(out, extra));
            }
        } catch (RunnerException e) {
            throw new BenchmarkException("JMH failed: " + e.getMessage(), e);
        }
    }

    /** Medians, since on a shared machine single iterations go astray. */
    private static void print(PrintWriter out, Result<?> result) {
        Statistics iterations = result.getStatistics();
        out.printf(
                Locale.ROOT,
                "%-24s median %.2f, from %.2f to %.2f %s%n",
                result.getLabel(),
                iterations.getPercentile(50),
                iterations.getMin(),
                iterations.getMax(),
                result.getScoreUnit());
    }
}
