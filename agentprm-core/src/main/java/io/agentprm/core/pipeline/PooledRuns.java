package io.agentprm.core.pipeline;

import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
import io.agentprm.core.eval.Measure;
import io.agentprm.core.eval.PairedBootstrap;
import io.agentprm.core.report.Estimate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finished runs of one recipe that differ in their seeds, judged together: one seed says how good a
 * model came out, several how good the recipe is.
 */
public final class PooledRuns {
    /**
     * One agent over all runs.
     *
     * @param agent such as {@code best-of-n(pi-0, Q-0)}
     * @param mean of the measure over all episodes, in [0, 1]
     * @param means the same in each run, in the order of the runs
     * @param difference of the mean to the first agent's; empty for that one itself
     * @param compared difference of the mean to this agent's of the other recipe; empty without one
     */
    public record Row(
            String agent,
            int episodes,
            double mean,
            List<Double> means,
            double meanActions,
            Optional<Estimate> difference,
            Optional<Estimate> compared) {}

    private final List<ResultsFile> results = new ArrayList<>();
    private final List<Path> runs;
    private final Measure measure;

    private PooledRuns(List<Path> runs, Measure measure) {
        this.runs = List.copyOf(runs);
        this.measure = measure;
        for (Path run : runs) {
            Path file = run.resolve(ResultsFile.NAME);
            if (Files.notExists(file)) {
                throw new RunException(
                        run + " holds no finished run: its " + ResultsFile.NAME + " is missing");
            }
            results.add(ResultsFile.read(file));
        }
        results.forEach(this::requireComparable);
        requireDistinct();
    }

    /** A run that counts twice would make the interval narrower than what is known. */
    private void requireDistinct() {
        Map<Long, Path> seeds = new HashMap<>();
        for (int r = 0; r < results.size(); r++) {
            Path earlier = seeds.putIfAbsent(results.get(r).seed(), runs.get(r));
            if (earlier != null) {
                throw new RunException(
                        runs.get(r)
                                + " has the seed "
                                + results.get(r).seed()
                                + " as "
                                + earlier
                                + " has; give each run once, and runs of different seeds");
            }
        }
    }

    /**
     * One row for each agent that all runs judged, in the first run's order.
     *
     * @param runs directories of finished runs, at least one
     * @param measure what agents are judged by
     * @throws RunException if one is not finished, they were judged on different environments, or
     *     two have one seed
     */
    public static List<Row> of(List<Path> runs, Measure measure) {
        return new PooledRuns(runs, measure).rows(Optional.empty());
    }

    /**
     * One row for each agent as {@link #of} gives it, compared with the agent of the same name in
     * runs of another recipe.
     *
     * @param runs directories of finished runs, at least one
     * @param others finished runs of the other recipe, of the same seeds on the same tasks
     * @param measure what agents are judged by
     * @throws RunException if {@code of} throws it for either side, or the sides' tasks or seeds
     *     differ
     */
    public static List<Row> comparing(List<Path> runs, List<Path> others, Measure measure) {
        PooledRuns one = new PooledRuns(runs, measure);
        PooledRuns other = new PooledRuns(others, measure);
        ResultsFile first = one.results.get(0);
        if (!first.environment().equals(other.results.get(0).environment())
                || !first.split().equals(other.results.get(0).split())
                || !one.bySeed().keySet().equals(other.bySeed().keySet())) {
            throw new RunException(
                    others
                            + " were judged on other tasks, or have other seeds, than "
                            + runs
                            + "; compare runs of two configurations with the same seeds on the same"
                            + " tasks");
        }
        return one.rows(Optional.of(other));
    }

    private Map<Long, Path> bySeed() {
        Map<Long, Path> seeds = new HashMap<>();
        for (int r = 0; r < runs.size(); r++) {
            seeds.put(results.get(r).seed(), runs.get(r));
        }
        return seeds;
    }

    private void requireComparable(ResultsFile other) {
        ResultsFile first = results.get(0);
        if (!agents(first).equals(agents(other))
                || !first.environment().equals(other.environment())
                || !first.split().equals(other.split())) {
            throw new RunException(
                    runs.get(results.indexOf(other))
                            + " judged other agents, or on other tasks, than "
                            + runs.get(0)
                            + "; pool runs of one configuration that differ in their seeds only");
        }
    }

    private static List<String> agents(ResultsFile file) {
        return judged(file).map(ResultsFile.AgentResult::agent).toList();
    }

    private static Stream<ResultsFile.AgentResult> judged(ResultsFile file) {
        return file.agents().stream().filter(agent -> !agent.scaling());
    }

    private List<Row> rows(Optional<PooledRuns> other) {
        List<Row> rows = new ArrayList<>();
        List<ResultsFile.AgentResult> agents = judged(results.get(0)).toList();
        List<List<Trajectory>> base = episodes(agents.get(0));
        for (int a = 0; a < agents.size(); a++) {
            rows.add(row(a, agents.get(a), base, other));
        }
        return rows;
    }

    private Row row(
            int number,
            ResultsFile.AgentResult agent,
            List<List<Trajectory>> base,
            Optional<PooledRuns> other) {
        List<ResultsFile.AgentResult> each =
                results.stream().map(file -> judged(file).toList().get(number)).toList();
        int episodes = each.stream().mapToInt(one -> one.all().episodes()).sum();
        double actions =
                each.stream().mapToDouble(o -> o.all().meanActions() * o.all().episodes()).sum();
        List<List<Trajectory>> played = episodes(agent);
        return new Row(
                agent.agent(),
                episodes,
                measure.mean(played.stream().flatMap(List::stream).toList()),
                played.stream().map(measure::mean).toList(),
                actions / episodes,
                number == 0 ? Optional.empty() : Optional.of(difference(played, base)),
                other.flatMap(recipe -> recipe.sameAgent(agent, this))
                        .map(theirs -> difference(played, theirs)));
    }

    private Estimate difference(List<List<Trajectory>> ones, List<List<Trajectory>> others) {
        List<PairedBootstrap.Sides> sides = new ArrayList<>();
        for (int r = 0; r < runs.size(); r++) {
            sides.add(new PairedBootstrap.Sides(ones.get(r), others.get(r)));
        }
        RandomSource random = RandomSource.of(results.get(0).seed()).derive("bootstrap");
        return PairedBootstrap.difference(sides, measure, random).difference();
    }

    /** The episodes of an agent here, in the order of another recipe's seeds. */
    private Optional<List<List<Trajectory>>> sameAgent(
            ResultsFile.AgentResult agent, PooledRuns asked) {
        return judged(results.get(0))
                .filter(mine -> mine.agent().equals(agent.agent()))
                .findFirst()
                .map(
                        mine ->
                                asked.results.stream()
                                        .map(file -> episodes(bySeed().get(file.seed()), mine))
                                        .toList());
    }

    /** An agent's episodes in each run. */
    private List<List<Trajectory>> episodes(ResultsFile.AgentResult agent) {
        return runs.stream().map(run -> episodes(run, agent)).toList();
    }

    private static List<Trajectory> episodes(Path run, ResultsFile.AgentResult agent) {
        return StoredEpisodes.in(run.resolve(StageNames.evaluation(agent.policy(), agent.kind())));
    }
}
