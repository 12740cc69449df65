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
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@link EnvironmentBenchmark} under JMH. */
@Command(
        name = "environment",
        description = "Steps and resets of household games on one thread (JMH).",
        mixinStandardHelpOptions = true)
public final class EnvironmentCommand implements Runnable {
    @Spec private CommandSpec spec;

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

    @Override
    public void run() {
        TimeValue time = TimeValue.milliseconds(Math.round(seconds * 1000));
        PrintWriter out = spec.commandLine().getOut();
        out.println(GameData.describe());
        out.flush();
        try {
            for (RunResult result :
                    new Runner(
                                    new OptionsBuilder()
                                            .include(EnvironmentBenchmark.class.getName())
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
