package io.agentprm.algos.reward;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.loss.InversePrmLoss;
import io.agentprm.algos.train.Batches;
import io.agentprm.algos.train.EpochLoop;
import io.agentprm.algos.train.TaskSplit;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.optim.Imitation;
import io.agentprm.api.optim.LearningRequest;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.Trajectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * InversePRM (Choudhury, arXiv 2502.10325, algorithm 2): a process reward model that tells the
 * turns of demonstrations from those of the learner's policies so far, {@code r(s, a) = Q(s, a) -
 * gamma Q(s', a')} being high for the expert and low for the learner. No outcome is looked at. The
 * next actions of demonstrations are drawn from the current policy, those of rollouts are the
 * logged ones unless said otherwise.
 *
 * <p>Scores are raw values of Q without a bound: they rank actions, but are no probabilities of
 * success. Series as those of every reward model: {@code prm.loss}, {@code prm.accuracy} (share of
 * turns whose side {@code r} tells), {@code prm.gradient-norm}, {@code prm.learning-rate}, and on
 * the tasks held out, of both sides, {@code prm.held-out-loss} and {@code prm.held-out-accuracy}.
 */
final class InversePrmLearner implements RewardLearner {
    private final InversePrmConfig config;
    private final LossFunction loss;

    InversePrmLearner(InversePrmConfig config) {
        this.config = config;
        this.loss = new InversePrmLoss(config.gamma(), config.scorePenalty());
    }

    @Override
    public Supervision supervision() {
        return Supervision.DEMONSTRATIONS;
    }

    @Override
    public ScoreScale scale() {
        return ScoreScale.UNBOUNDED;
    }

    @Override
    public OptimizationReport learn(LearningRequest request) {
        ScoreHeads.require(request.model());
        RunContext context = request.context();
        Imitation imitation =
                request.imitation()
                        .orElseThrow(
                                () ->
                                        new AlgorithmException(
                                                "inverse-prm learns from demonstrations and"
                                                        + " rollouts, and was given neither: use it in"
                                                        + " a run, as loop.prm, or choose prm"));
        Sides sides = Sides.balanced(imitation, context.random().derive("sides"));
        List<List<TrainingRow>> items = new ArrayList<>();
        List<List<TrainingRow>> test = new ArrayList<>();
        Predicate<Trajectory> heldOut = TaskSplit.heldOut(config.holdOut());
        for (Transitions one : transitions(sides, imitation, context)) {
            List<TrainingRow> rows =
                    new TransitionRows(request.renderer())
                            .of(
                                    one.trajectory(),
                                    one.expert(),
                                    one.next(),
                                    (long) items.size() + test.size());
            if (!rows.isEmpty()) {
                (heldOut.test(one.trajectory()) ? test : items).add(rows);
            }
        }
        if (items.isEmpty()) {
            throw new AlgorithmException(
                    "all "
                            + test.size()
                            + " trajectories belong to tasks that are held out ("
                            + config.holdOut()
                            + " of the tasks); collect more or hold out less");
        }
        return new EpochLoop(config.options(), loss, context)
                .run(request.model(), items, () -> evaluate(request.model(), test));
    }

    /** A trajectory, whose it is, and the next actions that are not the logged ones. */
    private record Transitions(
            Trajectory trajectory, boolean expert, Optional<List<Decision>> next) {}

    private List<Transitions> transitions(Sides sides, Imitation imitation, RunContext context) {
        NextActionSampler sampler =
                new NextActionSampler(imitation.policy(), config.temperature(), context);
        List<Transitions> all = new ArrayList<>();
        addResampled(all, sides.expert(), true, sampler);
        if (config.nextActions() == InversePrmConfig.NextActions.ALL) {
            addResampled(all, sides.learner(), false, sampler);
        } else {
            sides.learner().forEach(t -> all.add(new Transitions(t, false, Optional.empty())));
        }
        return all;
    }

    private static void addResampled(
            List<Transitions> all,
            List<Trajectory> trajectories,
            boolean expert,
            NextActionSampler sampler) {
        List<List<Decision>> next = sampler.sample(trajectories);
        for (int i = 0; i < next.size(); i++) {
            all.add(new Transitions(trajectories.get(i), expert, Optional.of(next.get(i))));
        }
    }

    @Override
    public Optional<String> plan(int trajectories) {
        return Optional.of(config.options().plan(2 * trajectories));
    }

    private Map<String, Double> evaluate(TrainableModel model, List<List<TrainingRow>> test) {
        if (test.isEmpty()) {
            return Map.of();
        }
        double normalizer = loss.normalizer(test.stream().flatMap(List::stream).toList());
        Map<String, Double> figures = new TreeMap<>();
        for (List<List<TrainingRow>> batch :
                Batches.ofWeight(test, EpochLoop::tokens, config.microBatchTokens())) {
            List<TrainingRow> rows = batch.stream().flatMap(List::stream).toList();
            List<TokenTree> trees = rows.stream().map(TrainingRow::tree).toList();
            LossFunction.Value value =
                    loss.evaluate(rows, model.evaluate(trees, loss.channels()), normalizer);
            figures.merge("held-out-loss", value.loss(), Double::sum);
            value.metrics()
                    .forEach((name, part) -> figures.merge("held-out-" + name, part, Double::sum));
        }
        return figures;
    }
}
