package io.agentprm.core.eval;

import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
import io.agentprm.core.report.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Difference of two agents on the same pairs of task and seed, with a 95 % percentile interval from
 * a bootstrap over tasks (Efron and Tibshirani 1993, chapter 13; clusters as in Field and Welsh,
 * JRSS B 2007): whole tasks are drawn with replacement, since episodes of one task are not
 * independent. Resample r draws its tasks, in the order of their ids, from {@code
 * random.derive(r)}: the same stream gives the same interval, whatever the order of the episodes.
 */
public final class PairedBootstrap {
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
     * Difference over several runs of one recipe: pairs are made within each run, and a task's
     * episodes of all runs are drawn together.
     *
     * @throws RunException if the sides of a run do not consist of the same pairs of task and seed
     */
    public static Result difference(List<Sides> runs, Measure measure, RandomSource random) {
        SortedMap<String, List<Double>> byTask = new TreeMap<>();
        runs.forEach(run -> pair(run.first(), run.second(), measure, byTask));
        int pairs = byTask.values().stream().mapToInt(List::size).sum();
        return new Result(pairs, byTask.size(), TaskBootstrap.mean(byTask, random));
    }

    /**
     * Difference in one run.
     *
     * @throws RunException if the two do not consist of the same pairs of task and seed
     */
    public static Result difference(
            List<Trajectory> first, List<Trajectory> second, Measure measure, RandomSource random) {
        return difference(List.of(new Sides(first, second)), measure, random);
    }

    private static void pair(
            List<Trajectory> first,
            List<Trajectory> second,
            Measure measure,
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
                    .add(measure.of(trajectory) - measure.of(partner));
        }
    }
}
