package io.agentprm.algos.policy;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.run.Metrics;
import io.agentprm.api.trajectory.EpisodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * The highest raw score of a reward model; among equals the action proposed most often, then the
 * one proposed first. A score that is not finite never wins; if none is, the first entry does. Each
 * distinct action is scored once.
 */
final class ScoreChooser implements Chooser {
    private final RewardModel rewardModel;
    private final Metrics metrics;
    private long notFinite;

    ScoreChooser(RewardModel rewardModel, Metrics metrics) {
        this.rewardModel = rewardModel;
        this.metrics = metrics;
    }

    @Override
    public List<Choice> choose(List<Ballot> ballots) {
        List<double[]> scores =
                rewardModel.score(
                        ballots.stream()
                                .map(
                                        ballot ->
                                                ScoringRequest.of(
                                                        ballot.state(),
                                                        ballot.episode(),
                                                        ballot.competing().stream()
                                                                .map(Ballot.Entry::decision)
                                                                .toList()))
                                .toList());
        List<Choice> choices = new ArrayList<>(ballots.size());
        for (int i = 0; i < ballots.size(); i++) {
            choices.add(new Choice(best(ballots.get(i), scores.get(i)), scores.get(i)));
        }
        return choices;
    }

    private int best(Ballot ballot, double[] scores) {
        if (scores.length != ballot.competing().size()) {
            throw new AlgorithmException(
                    "reward model "
                            + rewardModel.id()
                            + " gave "
                            + scores.length
                            + " scores for "
                            + ballot.competing().size()
                            + " decisions");
        }
        int best = -1;
        for (int i = 0; i < scores.length; i++) {
            if (!Double.isFinite(scores[i])) {
                metrics.record("best-of-n.non-finite-scores", notFinite, ++notFinite);
            } else if (best < 0
                    || scores[i] > scores[best]
                    || scores[i] == scores[best]
                            && ballot.competing().get(i).count()
                                    > ballot.competing().get(best).count()) {
                best = i;
            }
        }
        return Math.max(best, 0);
    }

    @Override
    public void release(EpisodeId episode) {
        rewardModel.release(episode);
    }
}
