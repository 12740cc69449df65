package io.agentprm.core.pipeline;

import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
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
     * @param successes share of successes in each run, in the order of the runs
     * @param difference in success to the first agent; empty for that one itself
     */
    public record Row(
            String agent,
            int episodes,
            double success,
            List<Double> successes,
            double meanActions,
            Optional<Estimate> difference) {}

    private final List<ResultsFile> results = new ArrayList<>();
    private final List<Path> runs;

    private PooledRuns(List<Path> runs) {
        this.runs = List.copyOf(runs);
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
     * @throws RunException if one is not finished, they were judged on different environments, or
     *     two have one seed
     */
    public static List<Row> of(List<Path> runs) {
        return new PooledRuns(runs).rows();
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

    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        List<ResultsFile.AgentResult> agents = judged(results.get(0)).toList();
        List<List<Trajectory>> base = episodes(agents.get(0));
        for (int a = 0; a < agents.size(); a++) {
            rows.add(row(a, agents.get(a), base));
        }
        return rows;
    }

    private Row row(int number, ResultsFile.AgentResult agent, List<List<Trajectory>> base) {
        List<ResultsFile.AgentResult> each =
                results.stream().map(file -> judged(file).toList().get(number)).toList();
        int episodes = each.stream().mapToInt(one -> one.all().episodes()).sum();
        int successes = each.stream().mapToInt(one -> one.all().successes()).sum();
        double actions =
                each.stream().mapToDouble(o -> o.all().meanActions() * o.all().episodes()).sum();
        Optional<Estimate> difference = Optional.empty();
        if (number > 0) {
            List<List<Trajectory>> played = episodes(agent);
            List<PairedBootstrap.Sides> sides = new ArrayList<>();
            for (int r = 0; r < runs.size(); r++) {
                sides.add(new PairedBootstrap.Sides(played.get(r), base.get(r)));
            }
            RandomSource random = RandomSource.of(results.get(0).seed()).derive("bootstrap");
            difference = Optional.of(PairedBootstrap.success(sides, random).difference());
        }
        return new Row(
                agent.agent(),
                episodes,
                (double) successes / episodes,
                each.stream().map(one -> one.all().success().value()).toList(),
                actions / episodes,
                difference);
    }

    /** An agent's episodes in each run. */
    private List<List<Trajectory>> episodes(ResultsFile.AgentResult agent) {
        return runs.stream().map(run -> episodes(run, agent)).toList();
    }

    private static List<Trajectory> episodes(Path run, ResultsFile.AgentResult agent) {
        return StoredEpisodes.in(run.resolve(StageNames.evaluation(agent.policy(), agent.kind())));
    }
}
