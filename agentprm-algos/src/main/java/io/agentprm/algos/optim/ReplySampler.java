package io.agentprm.algos.optim;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.api.lm.TrainablePolicy;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.SampledTokens;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;

/**
 * Samples replies to prompts from the current policy and scores each distinct one. The prompts of a
 * trajectory are worked on turn after turn under one episode, so that caches grow with it; they are
 * released before the weights change.
 */
final class ReplySampler {
    private final TrainablePolicy policy;
    private final RewardModel rewardModel;
    private final List<Trajectory> trajectories;
    private final OnlineDpoConfig config;
    private final RandomSource random;
    private final DoubleUnaryOperator marginScale;

    ReplySampler(
            TrainablePolicy policy,
            RewardModel rewardModel,
            List<Trajectory> trajectories,
            OnlineDpoConfig config,
            RandomSource random) {
        this.policy = policy;
        this.rewardModel = rewardModel;
        this.trajectories = trajectories;
        this.config = config;
        this.random = random;
        this.marginScale =
                config.marginScale() == OnlineDpoConfig.MarginScale.RAW
                        ? score -> score
                        : this::probability;
    }

    private double probability(double score) {
        OptionalDouble probability = rewardModel.probability(score);
        return probability.orElseThrow(
                () ->
                        new AlgorithmException(
                                "margin-scale probability needs a reward model that defines one; "
                                        + rewardModel.id()
                                        + " has the scale "
                                        + rewardModel.scale()));
    }

    /** Distinct replies of each prompt, in the order of first appearance, scored. */
    List<List<Reply>> sample(List<Prompt> prompts, long step) {
        List<List<Reply>> replies = new ArrayList<>();
        prompts.forEach(prompt -> replies.add(new ArrayList<>()));
        for (List<Integer> wave : waves(prompts)) {
            sampleWave(prompts, wave, step, replies);
        }
        for (Prompt prompt : prompts) {
            policy.release(episode(prompt));
            rewardModel.release(episode(prompt));
        }
        return penalised(replies);
    }

    /** Indices of prompts: the first of every trajectory, then the second of every one, and on. */
    private static List<List<Integer>> waves(List<Prompt> prompts) {
        List<List<Integer>> waves = new ArrayList<>();
        int rank = 0;
        for (int i = 0; i < prompts.size(); i++) {
            rank =
                    i > 0 && prompts.get(i).trajectory() == prompts.get(i - 1).trajectory()
                            ? rank + 1
                            : 0;
            if (rank == waves.size()) {
                waves.add(new ArrayList<>());
            }
            waves.get(rank).add(i);
        }
        return waves;
    }

    private void sampleWave(
            List<Prompt> prompts, List<Integer> wave, long step, List<List<Reply>> replies) {
        Sampling sampling = new Sampling(config.temperature(), 1, policy.sampling().maxNewTokens());
        List<DecisionRequest> requests = new ArrayList<>();
        for (int i : wave) {
            Prompt prompt = prompts.get(i);
            requests.add(
                    DecisionRequest.of(
                                    state(prompt),
                                    episode(prompt),
                                    config.replies(),
                                    random.derive(step).derive(i))
                            .with(sampling));
        }
        List<List<Decision>> decisions = policy.decide(requests);
        List<ScoringRequest> scoring = new ArrayList<>();
        for (int k = 0; k < wave.size(); k++) {
            List<Reply> distinct = replies.get(wave.get(k));
            decisions.get(k).forEach(decision -> add(distinct, reply(decision)));
            Prompt prompt = prompts.get(wave.get(k));
            scoring.add(
                    ScoringRequest.of(
                            state(prompt),
                            episode(prompt),
                            distinct.stream()
                                    .filter(Reply::stopped)
                                    .map(Reply::decision)
                                    .toList()));
        }
        score(wave, scoring, replies);
    }

    private void score(
            List<Integer> wave, List<ScoringRequest> scoring, List<List<Reply>> replies) {
        List<Integer> asked = new ArrayList<>();
        for (int k = 0; k < wave.size(); k++) {
            if (!scoring.get(k).decisions().isEmpty()) {
                asked.add(k);
            }
        }
        if (asked.isEmpty()) {
            return;
        }
        List<double[]> scores = rewardModel.score(asked.stream().map(scoring::get).toList());
        for (int a = 0; a < asked.size(); a++) {
            List<Reply> distinct = replies.get(wave.get(asked.get(a)));
            int next = 0;
            for (int i = 0; i < distinct.size(); i++) {
                if (distinct.get(i).stopped()) {
                    double score = marginScale.applyAsDouble(scores.get(a)[next++]);
                    distinct.set(i, distinct.get(i).scored(score));
                }
            }
        }
    }

    private static void add(List<Reply> distinct, Reply reply) {
        for (int i = 0; i < distinct.size(); i++) {
            if (distinct.get(i).sameText(reply)) {
                distinct.set(i, distinct.get(i).again());
                return;
            }
        }
        distinct.add(reply);
    }

    private Reply reply(Decision decision) {
        SampledTokens tokens =
                decision.tokens()
                        .orElseThrow(
                                () ->
                                        new AlgorithmException(
                                                "online-dpo needs the token ids of its replies, and"
                                                        + " policy "
                                                        + policy.id()
                                                        + " gave none"));
        if (Math.abs(tokens.temperature() - config.temperature()) > 1e-9) {
            throw new AlgorithmException(
                    "policy "
                            + policy.id()
                            + " gave log-probabilities at temperature "
                            + tokens.temperature()
                            + " where "
                            + config.temperature()
                            + " was asked for");
        }
        int[] ids = tokens.ids();
        boolean stopped =
                ids.length > 0 && ids[ids.length - 1] == policy.model().tokenizer().endOfTurn();
        return new Reply(decision, tokens, 1, stopped, Double.NaN);
    }

    /** Replies that did not stop rank below everything that was scored in this batch. */
    private List<List<Reply>> penalised(List<List<Reply>> replies) {
        double lowest =
                replies.stream()
                        .flatMap(List::stream)
                        .filter(reply -> reply.stopped() && Double.isFinite(reply.score()))
                        .mapToDouble(Reply::score)
                        .min()
                        .orElse(0);
        return replies.stream()
                .map(
                        list ->
                                list.stream()
                                        .map(
                                                reply ->
                                                        reply.stopped()
                                                                ? reply
                                                                : reply.scored(
                                                                        lowest
                                                                                - config
                                                                                        .nonStopPenalty()))
                                        .toList())
                .toList();
    }

    private State state(Prompt prompt) {
        return trajectories.get(prompt.trajectory()).states().get(prompt.turn());
    }

    private EpisodeId episode(Prompt prompt) {
        return new EpisodeId(
                trajectories.get(prompt.trajectory()).task().id(), prompt.trajectory());
    }
}
