package io.agentprm.algos.optim;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.loss.DpoLoss;
import io.agentprm.algos.train.Batches;
import io.agentprm.algos.train.StageState;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.lm.UpdateReport;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.optim.OptimizationRequest;
import io.agentprm.api.optim.PolicyOptimizer;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.run.Progress;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Online direct preference optimisation against a process reward model (Choudhury, arXiv
 * 2502.10325, algorithm 1, stage 3). Per step: states of the rollouts are prompts; the current
 * policy samples replies to them; the reward model scores each distinct one; the best and the worst
 * of a prompt are a pair; some optimiser steps on the batch.
 *
 * <ul>
 *   <li>The reference is the policy as it was at the start, a frozen snapshot.
 *   <li>Log-probabilities are those of the unconstrained model at the sampling temperature, also
 *       where decoding is constrained to admissible actions.
 *   <li>A reply that does not stop is not scored and ranks below everything scored in its batch.
 *   <li>Pairs with identical texts, or scores closer than the minimal margin, are dropped and
 *       counted.
 * </ul>
 *
 * Series, all beginning with {@code dpo.}: {@code loss} and the loss's metrics at the first inner
 * pass, {@code final-loss} at the last, {@code gradient-norm}, {@code learning-rate}; {@code score}
 * (mean over sampled replies, on the margin scale), {@code score-margin} (mean over pairs); shares
 * of the prompts {@code pairs-kept}, {@code pairs-identical}, {@code pairs-tied}, {@code
 * pairs-not-finite}; {@code non-stop} (share of sampled replies); {@code reply-tokens}; {@code
 * entropy} (an estimate: mean of minus log-probability over sampled tokens); {@code kl.k1}, {@code
 * kl.k2}, {@code kl.k3} per reply and {@code kl-per-token.k1} and on.
 */
final class OnlineDpoOptimizer implements PolicyOptimizer {
    private final OnlineDpoConfig config;
    private final Channel logProb;

    OnlineDpoOptimizer(OnlineDpoConfig config) {
        this.config = config;
        this.logProb = Channel.logProb(config.temperature());
    }

    @Override
    public OptimizationReport optimize(OptimizationRequest request) {
        RewardModel rewardModel =
                request.rewardModel()
                        .orElseThrow(
                                () ->
                                        new AlgorithmException(
                                                "online-dpo needs a reward model: train one first"
                                                        + " or name one in the configuration"));
        RunContext context = request.context();
        TrainableModel model = request.policy().model();
        RandomSource random = context.random().derive("online-dpo");
        PromptStream prompts =
                new PromptStream(request.trajectories(), config, random.derive("prompts"));
        ReplySampler sampler =
                new ReplySampler(
                        request.policy(),
                        rewardModel,
                        request.trajectories(),
                        config,
                        random.derive("replies"));
        // The snapshot comes before the checkpoint is restored: the reference is the start.
        try (LanguageModel reference = model.snapshot();
                Progress progress = context.progress("online-dpo", config.steps())) {
            StageState state = StageState.resume(model, context);
            for (long skipped = 0; skipped < state.step(); skipped++) {
                prompts.next();
                progress.advance(1);
            }
            while (state.step() < config.steps()) {
                List<Prompt> batch = prompts.next();
                List<List<Reply>> replies = sampler.sample(batch, state.step());
                step(request, reference, state, batch, replies, progress);
                state.endStep();
                progress.advance(1);
            }
            return new OptimizationReport(state.step(), state.figures());
        }
    }

    @Override
    public Optional<String> plan(int trajectories) {
        return Optional.of(
                config.steps()
                        + " steps of at most "
                        + config.promptsPerStep()
                        + " prompts, "
                        + config.replies()
                        + " replies each, "
                        + config.innerPasses()
                        + (config.innerPasses() == 1 ? " update" : " updates")
                        + " a step");
    }

    private void step(
            OptimizationRequest request,
            LanguageModel reference,
            StageState state,
            List<Prompt> prompts,
            List<List<Reply>> replies,
            Progress progress) {
        List<PairChoice> choices =
                replies.stream().map(list -> PairChoice.of(list, config.minMargin())).toList();
        ReplyForest forest = new ReplyForest(request.policy().renderer(), request.trajectories());
        List<List<ReplyForest.Place>> places = new ArrayList<>();
        for (int p = 0; p < prompts.size(); p++) {
            Prompt prompt = prompts.get(p);
            places.add(
                    replies.get(p).stream()
                            .map(reply -> forest.add(prompt, reply.tokens().ids()))
                            .toList());
        }
        List<double[][]> referenceLogProbs = logProbs(reference, forest.trees());
        SamplingFigures figures = new SamplingFigures();
        for (int p = 0; p < prompts.size(); p++) {
            figures.add(replies.get(p), choices.get(p));
            for (int i = 0; i < replies.get(p).size(); i++) {
                ReplyForest.Place place = places.get(p).get(i);
                figures.add(
                        replies.get(p).get(i), referenceLogProbs.get(place.tree())[place.branch()]);
            }
        }
        figures.report((name, value) -> state.record("dpo." + name, value));
        PreferenceRows rows =
                new PreferenceRows(
                        new ReplyForest(request.policy().renderer(), request.trajectories()),
                        config.unpairedKl());
        for (int p = 0; p < prompts.size(); p++) {
            List<double[]> logProbs =
                    places.get(p).stream()
                            .map(place -> referenceLogProbs.get(place.tree())[place.branch()])
                            .toList();
            rows.add(prompts.get(p), replies.get(p), choices.get(p), logProbs);
        }
        if (rows.pairs() == 0) {
            state.count("dpo.empty-batches", 1);
        } else {
            train(request, state, rows.rows(), progress);
        }
    }

    /** Log-probabilities of every branch of every tree, at the sampling temperature. */
    private List<double[][]> logProbs(LanguageModel model, List<TokenTree> trees) {
        List<double[][]> result = new ArrayList<>();
        for (List<TokenTree> some :
                Batches.ofWeight(trees, TokenTree::length, config.microBatchTokens())) {
            ModelOutputs outputs = model.evaluate(some, Set.of(logProb));
            for (int t = 0; t < some.size(); t++) {
                int tree = t;
                result.add(
                        IntStream.range(0, some.get(t).segments().size())
                                .mapToObj(s -> outputs.at(logProb, tree, s))
                                .toArray(double[][]::new));
            }
        }
        return result;
    }

    private void train(
            OptimizationRequest request,
            StageState state,
            List<TrainingRow> rows,
            Progress progress) {
        TrainableModel model = request.policy().model();
        RandomSource random = request.context().random().derive("update");
        DpoLoss loss = config.lossFunction();
        double total = (double) config.steps() * config.promptsPerStep();
        double before = (double) state.step() * config.promptsPerStep();
        double share = (double) config.promptsPerStep() / config.innerPasses();
        for (int pass = 0; pass < config.innerPasses(); pass++) {
            double rate =
                    config.rate().at(before + pass * share, before + (pass + 1) * share, total);
            UpdateReport report =
                    model.step(
                            rows,
                            loss,
                            new UpdateOptions(
                                    rate,
                                    config.maxGradientNorm(),
                                    config.microBatchTokens(),
                                    random));
            if (pass == 0) {
                state.record("dpo.loss", report.loss());
                state.record("dpo.gradient-norm", report.gradientNorm());
                state.record("dpo.learning-rate", rate);
                report.metrics().forEach((name, value) -> state.record("dpo." + name, value));
            }
            if (pass == config.innerPasses() - 1) {
                state.record("dpo.final-loss", report.loss());
                progress.note(String.format(Locale.ROOT, "loss %.4f", report.loss()));
            }
            if (!report.applied()) {
                state.count("dpo.skipped-updates", 1);
            }
        }
    }
}
