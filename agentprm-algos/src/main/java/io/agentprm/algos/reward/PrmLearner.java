package io.agentprm.algos.reward;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.loss.BrierLoss;
import io.agentprm.algos.loss.SoftBceLoss;
import io.agentprm.algos.train.Batches;
import io.agentprm.algos.train.EpochLoop;
import io.agentprm.algos.train.TaskSplit;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.run.RunContext;
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
 * 2); all turns of a trajectory come from one forward pass. Series: {@code prm.loss}, {@code
 * prm.accuracy}, {@code prm.score}, {@code prm.gradient-norm}, {@code prm.learning-rate}, and
 * before the first and after every epoch, on the tasks held out, {@code prm.held-out-loss}, {@code
 * prm.held-out-accuracy} and {@code prm.held-out-auc} (labels above one half against the others;
 * missing where there is one side only).
 */
final class PrmLearner implements RewardLearner {
    private final PrmConfig config;
    private final LossFunction loss;

    PrmLearner(PrmConfig config) {
        this.config = config;
        this.loss = config.loss() == PrmConfig.Loss.BRIER ? new BrierLoss() : new SoftBceLoss();
    }

    @Override
    public OptimizationReport learn(
            TrainableModel model,
            StateRenderer renderer,
            List<LabelledTrajectory> labelled,
            RunContext context) {
        if (!model.info().hasScoreHead()) {
            throw new AlgorithmException(
                    "model "
                            + model.info().name()
                            + " has no score head: a process reward model needs one");
        }
        LabelledRows rowsOf = new LabelledRows(renderer, config.weighting());
        Predicate<Trajectory> heldOut = TaskSplit.heldOut(config.holdOut());
        List<List<TrainingRow>> items = new ArrayList<>();
        List<TrainingRow> test = new ArrayList<>();
        for (LabelledTrajectory one : labelled) {
            List<TrainingRow> rows = rowsOf.of(one);
            if (heldOut.test(one.trajectory())) {
                test.addAll(rows);
            } else if (!rows.isEmpty()) {
                items.add(rows);
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
        return new EpochLoop(config.options(), loss, context)
                .run(model, items, () -> evaluate(model, test));
    }

    @Override
    public Optional<String> plan(int trajectories) {
        return Optional.of(config.options().plan(trajectories));
    }

    private Map<String, Double> evaluate(TrainableModel model, List<TrainingRow> test) {
        if (test.isEmpty()) {
            return Map.of();
        }
        double normalizer = loss.normalizer(test);
        double sum = 0;
        int correct = 0;
        List<AreaUnderCurve.Case> cases = new ArrayList<>();
        for (List<TrainingRow> rows :
                Batches.ofWeight(test, row -> row.tree().length(), config.microBatchTokens())) {
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
