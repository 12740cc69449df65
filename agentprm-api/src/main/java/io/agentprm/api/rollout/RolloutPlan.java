package io.agentprm.api.rollout;

import io.agentprm.api.Experimental;
import io.agentprm.api.env.Task;
import io.agentprm.api.run.RandomSource;
import java.util.List;

/** Which episodes to play. Immutable. */
@Experimental(since = "1.0")
public final class RolloutPlan {
    private final List<Task> tasks;
    private final int episodesPerTask;
    private final int firstEpisode;
    private final int turnBudget;
    private final RandomSource random;

    private RolloutPlan(
            List<Task> tasks,
            int episodesPerTask,
            int firstEpisode,
            int turnBudget,
            RandomSource random) {
        this.tasks = List.copyOf(tasks);
        this.episodesPerTask = episodesPerTask;
        this.firstEpisode = firstEpisode;
        this.turnBudget = turnBudget;
        this.random = random;
    }

    /**
     * Makes a plan.
     *
     * @param tasks tasks to play, in the order of the result
     * @param episodesPerTask number of attempts at each, numbered from 0
     * @param random stream that seeds and samples of the episodes derive from, by task id and
     *     episode number
     */
    public static RolloutPlan of(List<Task> tasks, int episodesPerTask, RandomSource random) {
        return new RolloutPlan(tasks, episodesPerTask, 0, 0, random);
    }

    /** The same plan with attempts numbered from another number. */
    public RolloutPlan startingAt(int episode) {
        return new RolloutPlan(tasks, episodesPerTask, episode, turnBudget, random);
    }

    /** The same plan with episodes truncated after so many turns; 0 leaves it to the task. */
    public RolloutPlan truncatedAfter(int turns) {
        return new RolloutPlan(tasks, episodesPerTask, firstEpisode, turns, random);
    }

    public List<Task> tasks() {
        return tasks;
    }

    public int episodesPerTask() {
        return episodesPerTask;
    }

    public int firstEpisode() {
        return firstEpisode;
    }

    public int turnBudget() {
        return turnBudget;
    }

    public RandomSource random() {
        return random;
    }
}
