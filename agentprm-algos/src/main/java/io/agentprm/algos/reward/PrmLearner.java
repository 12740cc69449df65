package io.agentprm.algos.reward;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.loss.BrierLoss;
import io.agentprm.algos.loss.PromiseProgressLoss;
import io.agentprm.algos.loss.SelfLabelledLoss;
import io.agentprm.algos.loss.SoftBceLoss;
import io.agentprm.algos.train.Batches;
import io.agentprm.algos.train.EpochLoop;
import io.agentprm.algos.train.TaskSplit;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.optim.LearningRequest;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.target.BootstrappedTargets;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.trajectory.Trajectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Trains a process reward model on labelled turns (Choudhury, arXiv 2502.10325, algorithm 1, stage
 * 2; Xi et al., arXiv 2511.08325, algorithm 1, where the targets depend on the model); all turns of
 * a trajectory come from one forward pass. The score is log-odds with every loss, and the head
 * starts as it comes, with values about one half: so a reward model is used in the same way
 * whatever it learned from. Series: {@code prm.loss}, {@code prm.accuracy}, {@code prm.score},
 * {@code prm.gradient-norm}, {@code prm.learning-rate}, and before the first and after every epoch,
 * on the tasks held out, {@code prm.held-out-loss}, {@code prm.held-out-accuracy} and {@code
 * prm.held-out-auc} (labels above one half against the others; missing where there is one side
 * only). Accuracy and area of tasks held out are always against the labels as given, so that those
 * of different targets can be compared.
 */
final class PrmLearner implements RewardLearner {
    private final PrmConfig config;

    PrmLearner(PrmConfig config) {
        this.config = config;
    }

    @Override
    public OptimizationReport learn(LearningRequest request) {
        TrainableModel model = request.model();
        ScoreHeads.require(model);
        List<LabelledTrajectory> labelled = request.labelled();
        LossFunction loss = loss(request.targets(), labelled);
        boolean tied = loss instanceof PromiseProgressLoss || loss instanceof SelfLabelledLoss;
        LabelledRows rowsOf = new LabelledRows(request.renderer(), config.weighting());
        Predicate<Trajectory> heldOut = TaskSplit.heldOut(config.holdOut());
        List<List<TrainingRow>> items = new ArrayList<>();
        List<List<TrainingRow>> test = new ArrayList<>();
        for (int i = 0; i < labelled.size(); i++) {
            List<TrainingRow> rows = rowsOf.of(labelled.get(i));
            if (tied) {
                long group = i;
                rows = rows.stream().map(row -> row.inGroup(group)).toList();
            }
            if (!rows.isEmpty()) {
                (heldOut.test(labelled.get(i).trajectory()) ? test : items).add(rows);
            }
        }
        if (items.isEmpty()) {
            throw new AlgorithmException(
                    "none of "
                            + labelled.size()
                            + " labelled trajectories is left to train on (held out: "
                            + config.holdOut()
                            + " of the tasks); collect more or hold out less");
        }
        return new EpochLoop(config.options(), loss, request.context())
                .run(model, items, () -> evaluate(model, loss, test));
    }

    private LossFunction loss(
            Optional<BootstrappedTargets> targets, List<LabelledTrajectory> labelled) {
        LossFunction loss =
                switch (config.loss()) {
                    case AUTO ->
                            targets.isPresent()
                                    ? new PromiseProgressLoss(config.progressWeight())
                                    : new SoftBceLoss();
                    case SOFT_BCE -> new SoftBceLoss();
                    case BRIER -> new BrierLoss();
                    case PROMISE_PROGRESS -> new PromiseProgressLoss(config.progressWeight());
                };
        return targets.isEmpty()
                ? loss
                : new SelfLabelledLoss(
                        loss,
                        (group, values) ->
                                targets.get()
                                        .targets(labelled.get((int) group).trajectory(), values));
    }

    @Override
    public Optional<String> plan(int trajectories) {
        return Optional.of(config.options().plan(trajectories));
    }

    private Map<String, Double> evaluate(
            TrainableModel model, LossFunction loss, List<List<TrainingRow>> test) {
        if (test.isEmpty()) {
            return Map.of();
        }
        double normalizer = loss.normalizer(test.stream().flatMap(List::stream).toList());
        double sum = 0;
        int correct = 0;
        List<AreaUnderCurve.Case> cases = new ArrayList<>();
        for (List<List<TrainingRow>> batch :
                Batches.ofWeight(test, EpochLoop::tokens, config.microBatchTokens())) {
            List<TrainingRow> rows = batch.stream().flatMap(List::stream).toList();
            List<TokenTree> trees = rows.stream().map(TrainingRow::tree).toList();
            ModelOutputs outputs = model.evaluate(trees, loss.channels());
            sum += loss.evaluate(rows, outputs, normalizer).loss();
            for (int r = 0; r < rows.size(); r++) {
                double[] scores = outputs.at(Channel.SCORE, r, 0);
                double[] labels = rows.get(r).values(TrainingRow.LABEL, 0);
                for (int i = 0; i < scores.length; i++) {
                    cases.add(new AreaUnderCurve.Case(scores[i], labels[i] > 0.5));
                    correct += scores[i] > 0 == labels[i] > 0.5 ? 1 : 0;
                }
            }
        }
        Map<String, Double> figures = new TreeMap<>();
        figures.put("held-out-loss", sum);
        figures.put("held-out-accuracy", correct / (double) cases.size());
        AreaUnderCurve.of(cases).ifPresent(auc -> figures.put("held-out-auc", auc));
        return figures;
    }
}
