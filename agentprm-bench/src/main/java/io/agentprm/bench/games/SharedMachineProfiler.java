package io.agentprm.bench.games;

import io.agentprm.bench.measure.CpuClock;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Adds what a shared machine needs: operations per second of processor time (of the whole process,
 * collector and compiler included), and the load of the machine.
 */
public final class SharedMachineProfiler implements InternalProfiler {
    private final CpuClock clock = new CpuClock();
    private double start;

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        start = clock.seconds();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double cpu = clock.seconds() - start;
        return List.of(
                new ScalarResult(
                        "per-cpu-second",
                        result.getMetadata().getAllOps() / cpu,
                        "ops/s",
                        AggregationPolicy.AVG),
                new ScalarResult("load", clock.load(), "threads", AggregationPolicy.AVG));
    }

    @Override
    public String getDescription() {
        return "Operations per second of processor time, and load";
    }
}
