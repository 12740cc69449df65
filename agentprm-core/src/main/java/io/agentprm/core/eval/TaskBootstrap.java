package io.agentprm.core.eval;

import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.report.Estimate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A mean with a 95 % percentile interval from a bootstrap over tasks, as {@link PairedBootstrap}
 * describes it.
 */
final class TaskBootstrap {
    /** Number of resamples. */
    private static final int RESAMPLES = 10_000;

    private TaskBootstrap() {}

    /**
     * The mean of a measure.
     *
     * @param episodes at least one
     */
    static Estimate mean(List<Trajectory> episodes, Measure measure, RandomSource random) {
        SortedMap<String, List<Double>> byTask = new TreeMap<>();
        for (Trajectory episode : episodes) {
            byTask.computeIfAbsent(episode.task().id(), id -> new ArrayList<>())
                    .add(measure.of(episode));
        }
        return mean(byTask, random);
    }

    /**
     * The mean of all figures.
     *
     * @param byTask figures of each task's episodes, by the task's id; not empty
     */
    static Estimate mean(SortedMap<String, List<Double>> byTask, RandomSource random) {
        int tasks = byTask.size();
        double[] sums = new double[tasks];
        int[] counts = new int[tasks];
        int next = 0;
        double sum = 0;
        long count = 0;
        for (List<Double> figures : byTask.values()) {
            // Sorted, so that the order of the episodes cannot change the last bit.
            sums[next] = figures.stream().mapToDouble(d -> d).sorted().sum();
            counts[next] = figures.size();
            sum += sums[next];
            count += counts[next++];
        }
        double[] means = new double[RESAMPLES];
        for (int r = 0; r < RESAMPLES; r++) {
            RandomGenerator generator = random.derive(r).generator();
            double resampled = 0;
            long drawn = 0;
            for (int i = 0; i < tasks; i++) {
                int task = generator.nextInt(tasks);
                resampled += sums[task];
                drawn += counts[task];
            }
            means[r] = resampled / drawn;
        }
        Arrays.sort(means);
        return new Estimate(sum / count, means[RESAMPLES / 40 - 1], means[RESAMPLES * 39 / 40]);
    }
}
