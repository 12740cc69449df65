package io.agentprm.algos.train;

import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.lm.UpdateReport;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.run.Progress;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Trains on a fixed set of items (the rows of a trajectory each) for some epochs. The order of an
 * epoch is keyed by its number. Records the loss, its metrics, the gradient norm and the learning
 * rate of every step, and an evaluation before the first and after every epoch.
 */
public final class EpochLoop {
    /**
     * Settings.
     *
     * @param name prefix of the metrics
     * @param epochs passes over the data
     * @param batchItems items of a batch, used if batchTokens is 0
     * @param batchTokens largest number of tokens of a batch, or 0
     * @param rate learning rate
     * @param maxGradientNorm clip to this
     * @param microBatchTokens largest number of padded tokens of a micro-batch
     */
    public record Options(
            String name,
            int epochs,
            int batchItems,
            int batchTokens,
            LearningRate rate,
            double maxGradientNorm,
            int microBatchTokens) {
        /**
         * In words, what training on some items comes to.
         *
         * @param most largest number of trajectories; some may be left out or held out
         */
        public String plan(int most) {
            if (batchTokens > 0) {
                return epochs
                        + (epochs == 1 ? " pass" : " passes")
                        + " over at most "
                        + most
                        + " trajectories, at most "
                        + batchTokens
                        + " tokens a step";
            }
            long steps = (long) epochs * ((most + batchItems - 1) / batchItems);
            return "at most "
                    + steps
                    + (steps == 1 ? " step of " : " steps of ")
                    + batchItems
                    + " trajectories";
        }
    }

    private final Options options;
    private final LossFunction loss;
    private final RunContext context;

    public EpochLoop(Options options, LossFunction loss, RunContext context) {
        this.options = options;
        this.loss = loss;
        this.context = context;
    }

    /**
     * Trains.
     *
     * @param evaluation figures by name, without prefix
     */
    public OptimizationReport run(
            TrainableModel model,
            List<List<TrainingRow>> items,
            Supplier<Map<String, Double>> evaluation) {
        StageState state = StageState.resume(model, context);
        double total = (double) items.size() * options.epochs();
        long first = state.step();
        long number = 0;
        long consumed = 0;
        try (Progress progress = context.progress(options.name(), (long) total)) {
            if (first == 0) {
                evaluate(state, evaluation);
            }
            for (int epoch = 0; epoch < options.epochs(); epoch++) {
                List<List<List<TrainingRow>>> batches = batches(items, epoch);
                for (int b = 0; b < batches.size(); b++, number++) {
                    List<List<TrainingRow>> batch = batches.get(b);
                    long after = consumed + batch.size();
                    if (number >= first) {
                        double rate = options.rate().at(consumed, after, total);
                        step(state, model, batch, rate, progress);
                        if (b == batches.size() - 1) {
                            evaluate(state, evaluation);
                        }
                        state.endStep();
                    }
                    consumed = after;
                    progress.advance(batch.size());
                }
            }
        }
        return new OptimizationReport(state.step(), state.figures());
    }

    private List<List<List<TrainingRow>>> batches(List<List<TrainingRow>> items, int epoch) {
        RandomSource random = context.random().derive("order").derive(epoch);
        List<List<TrainingRow>> ordered =
                Arrays.stream(Batches.permutation(items.size(), random))
                        .mapToObj(items::get)
                        .toList();
        return options.batchTokens() > 0
                ? Batches.ofWeight(ordered, EpochLoop::tokens, options.batchTokens())
                : Batches.ofCount(ordered, options.batchItems());
    }

    /** Number of tokens of an item. */
    public static int tokens(List<TrainingRow> item) {
        return item.stream().mapToInt(row -> row.tree().length()).sum();
    }

    private void step(
            StageState state,
            TrainableModel model,
            List<List<TrainingRow>> batch,
            double rate,
            Progress progress) {
        List<TrainingRow> rows = new ArrayList<>();
        batch.forEach(rows::addAll);
        UpdateReport report =
                model.step(
                        rows,
                        loss,
                        new UpdateOptions(
                                rate,
                                options.maxGradientNorm(),
                                options.microBatchTokens(),
                                context.random().derive("update")));
        record(state, "loss", report.loss());
        record(state, "gradient-norm", report.gradientNorm());
        record(state, "learning-rate", rate);
        report.metrics().forEach((name, value) -> record(state, name, value));
        if (!report.applied()) {
            state.count(options.name() + ".skipped-steps", 1);
        }
        progress.note(String.format(Locale.ROOT, "loss %.4f", report.loss()));
    }

    private void evaluate(StageState state, Supplier<Map<String, Double>> evaluation) {
        evaluation.get().forEach((name, value) -> record(state, name, value));
    }

    private void record(StageState state, String name, double value) {
        state.record(options.name() + "." + name, value);
    }
}
