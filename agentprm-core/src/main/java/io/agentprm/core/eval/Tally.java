package io.agentprm.core.eval;

import io.agentprm.api.config.Description;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import io.agentprm.core.report.Estimate;
import java.util.List;
import java.util.Optional;

/**
 * Figures of a set of episodes. An episode that was truncated or aborted counts as not successful:
 * nobody's result gets better because an environment fails.
 */
public record Tally(
        @Description("Number of episodes.") int episodes,
        @Description("Episodes with success.") int successes,
        @Description("Episodes that were cut by a budget.") int truncated,
        @Description("Episodes that a failure or a deadline ended.") int aborted,
        @Description("Share of successes with its Wilson 95 % interval.") Estimate success,
        @Description(
                        "Mean outcome, in [0, 1], with its 95 % interval from a bootstrap over"
                                + " tasks; absent where every outcome is 0 or 1.")
                Optional<Estimate> score,
        @Description(
                        "Mean number of actions; a failure counts as the step limit, if there is"
                                + " one, unless it ended by itself and there is a score.")
                double meanActions,
        @Description("Share of actions that the environment refused.") double invalidActionRate,
        @Description("Share of replies without an action.") double parseFailureRate) {
    /**
     * Counts. A failure counts as the step limit in the mean number of actions, as in the tables of
     * arXiv 2502.10325 (table 1); but where outcomes are graded, an end short of success is no
     * failure to get there: who bought something nearly right in four actions took four.
     *
     * @param stepLimit what a failure counts as in the mean number of actions; 0 takes its length
     * @param score mean outcome; empty if it says no more than success
     */
    static Tally of(List<Trajectory> trajectories, int stepLimit, Optional<Estimate> score) {
        int successes = 0;
        int truncated = 0;
        int aborted = 0;
        long actions = 0;
        long turns = 0;
        long invalid = 0;
        long unparsed = 0;
        for (Trajectory trajectory : trajectories) {
            successes += trajectory.success() ? 1 : 0;
            truncated += trajectory.end() instanceof EpisodeEnd.Truncated ? 1 : 0;
            aborted += trajectory.end() instanceof EpisodeEnd.Aborted ? 1 : 0;
            actions +=
                    ownLength(trajectory, score.isPresent())
                            ? trajectory.length()
                            : Math.max(stepLimit, trajectory.length());
            for (Turn turn : trajectory.turns()) {
                turns++;
                invalid += turn.feedback().valid() ? 0 : 1;
                unparsed += turn.decision().parseFailure().isPresent() ? 1 : 0;
            }
        }
        int episodes = trajectories.size();
        return new Tally(
                episodes,
                successes,
                truncated,
                aborted,
                Wilson.interval(successes, episodes),
                score,
                episodes == 0 ? 0 : (double) actions / episodes,
                turns == 0 ? 0 : (double) invalid / turns,
                turns == 0 ? 0 : (double) unparsed / turns);
    }

    private static boolean ownLength(Trajectory trajectory, boolean graded) {
        return trajectory.success()
                || (graded && trajectory.end() instanceof EpisodeEnd.Terminated);
    }
}
