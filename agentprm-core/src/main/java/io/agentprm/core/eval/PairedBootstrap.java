package io.agentprm.core.eval;

import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
import io.agentprm.core.report.Estimate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * Difference of two agents on the same pairs of task and seed, with a 95 % percentile interval from
 * a bootstrap over tasks (Efron and Tibshirani 1993, chapter 13; clusters as in Field and Welsh,
 * JRSS B 2007): whole tasks are drawn with replacement, since episodes of one task are not
 * independent. Resample r draws its tasks, in the order of their ids, from {@code
 * random.derive(r)}: the same stream gives the same interval, whatever the order of the episodes.
 */
public final class PairedBootstrap {
    /** Number of resamples. */
    public static final int RESAMPLES = 10_000;

    /**
     * A difference.
     *
     * @param pairs number of pairs of episodes
     * @param tasks number of tasks they belong to
     * @param difference mean of the first minus the second
     */
    public record Result(int pairs, int tasks, Estimate difference) {}

    /** Two agents' episodes of one run: the same pairs of task and seed. */
    public record Sides(List<Trajectory> first, List<Trajectory> second) {
        public Sides {
            first = List.copyOf(first);
            second = List.copyOf(second);
        }
    }

    private PairedBootstrap() {}

    /**
     * Difference in success over several runs of one recipe: pairs are made within each run, and a
     * task's episodes of all runs are drawn together.
     */
    public static Result success(List<Sides> runs, RandomSource random) {
        return difference(runs, t -> t.success() ? 1 : 0, random);
    }

    /** Difference in success. An episode that was truncated or aborted has not succeeded. */
    public static Result success(
            List<Trajectory> first, List<Trajectory> second, RandomSource random) {
        return difference(first, second, t -> t.success() ? 1 : 0, random);
    }

    /**
     * Difference in any figure of an episode.
     *
     * @throws RunException if the two do not consist of the same pairs of task and seed
     */
    public static Result difference(
            List<Trajectory> first,
            List<Trajectory> second,
            ToDoubleFunction<Trajectory> figure,
            RandomSource random) {
        return difference(List.of(new Sides(first, second)), figure, random);
    }

    private static Result difference(
            List<Sides> runs, ToDoubleFunction<Trajectory> figure, RandomSource random) {
        SortedMap<String, List<Double>> byTask = new TreeMap<>();
        runs.forEach(run -> pair(run.first(), run.second(), figure, byTask));
        int pairs = byTask.values().stream().mapToInt(List::size).sum();
        return new Result(pairs, byTask.size(), estimate(byTask, random));
    }

    private static void pair(
            List<Trajectory> first,
            List<Trajectory> second,
            ToDoubleFunction<Trajectory> figure,
            SortedMap<String, List<Double>> byTask) {
        if (first.isEmpty() || first.size() != second.size()) {
            throw new RunException(
                    "a paired comparison needs the same episodes on both sides, but there are "
                            + first.size()
                            + " and "
                            + second.size());
        }
        Map<EpisodeId, Trajectory> partners = new LinkedHashMap<>();
        second.forEach(trajectory -> partners.put(trajectory.id(), trajectory));
        for (Trajectory trajectory : first) {
            Trajectory partner = partners.get(trajectory.id());
            if (partner == null || partner.seed() != trajectory.seed()) {
                throw new RunException(
                        "a paired comparison needs the same episodes on both sides, but "
                                + trajectory.id()
                                + " with seed "
                                + trajectory.seed()
                                + " has no partner");
            }
            byTask.computeIfAbsent(trajectory.task().id(), id -> new ArrayList<>())
                    .add(figure.applyAsDouble(trajectory) - figure.applyAsDouble(partner));
        }
    }

    private static Estimate estimate(SortedMap<String, List<Double>> byTask, RandomSource random) {
        int tasks = byTask.size();
        double[] sums = new double[tasks];
        int[] counts = new int[tasks];
        int next = 0;
        double sum = 0;
        long count = 0;
        for (List<Double> differences : byTask.values()) {
            // Sorted, so that the order of the episodes cannot change the last bit.
            sums[next] = differences.stream().mapToDouble(d -> d).sorted().sum();
            counts[next] = differences.size();
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
