package io.agentprm.algos.optim;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.loss.SftLoss;
import io.agentprm.algos.train.Batches;
import io.agentprm.algos.train.EpochLoop;
import io.agentprm.algos.train.TaskSplit;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.optim.OptimizationRequest;
import io.agentprm.api.optim.PolicyOptimizer;
import io.agentprm.api.trajectory.Trajectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Supervised fine-tuning on trajectories. Series: {@code sft.loss} (mean nats per supervised token
 * of each batch), {@code sft.gradient-norm}, {@code sft.learning-rate}, {@code sft.held-out-loss}
 * where tasks are held out.
 */
final class SftOptimizer implements PolicyOptimizer {
    private final SftConfig config;
    private final LossFunction loss = new SftLoss();

    SftOptimizer(SftConfig config) {
        this.config = config;
    }

    @Override
    public OptimizationReport optimize(OptimizationRequest request) {
        SupervisedRows renderer = new SupervisedRows(request.policy().renderer());
        Predicate<Trajectory> heldOut = TaskSplit.heldOut(config.holdOut());
        List<List<TrainingRow>> items = new ArrayList<>();
        List<TrainingRow> test = new ArrayList<>();
        for (Trajectory trajectory : request.trajectories()) {
            if (config.successfulOnly() && !trajectory.success()) {
                continue;
            }
            List<TrainingRow> rows = renderer.of(trajectory);
            if (heldOut.test(trajectory)) {
                test.addAll(rows);
            } else if (!rows.isEmpty()) {
                items.add(rows);
            }
        }
        if (items.isEmpty()) {
            throw new AlgorithmException(
                    "none of "
                            + request.trajectories().size()
                            + " trajectories has a reply to learn from (held out: "
                            + config.holdOut()
                            + " of the tasks; successful only: "
                            + config.successfulOnly()
                            + ")");
        }
        TrainableModel model = request.policy().model();
        return new EpochLoop(config.options(), loss, request.context())
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
        for (List<TrainingRow> rows :
                Batches.ofWeight(test, row -> row.tree().length(), config.microBatchTokens())) {
            List<TokenTree> trees = rows.stream().map(TrainingRow::tree).toList();
            sum += loss.evaluate(rows, model.evaluate(trees, loss.channels()), normalizer).loss();
        }
        return Map.of("held-out-loss", sum);
    }
}
