package io.agentprm.engine.djl;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.lm.check.CheckNumbers;
import io.agentprm.lm.check.CheckReport;
import io.agentprm.lm.check.CheckReport.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Losses, gradients and AdamW steps of fine-tuning and of preferences. */
final class TrainingCheck {
    private static final int WHOLE_BATCH = 1 << 20;
    private static final int IGNORED = -100;

    private final CheckedModel model;

    TrainingCheck(CheckedModel model) {
        this.model = model;
    }

    void fineTuning(CheckReport report, JsonNode block) {
        List<TrainingRow> rows = rows(block);
        JsonNode whole = block.path("batch");
        JsonNode single = block.path("single_row");
        report.same(
                whole.path("num_loss_tokens").asLong(),
                (long) CheckedLoss.NEGATIVE_LOG_LIKELIHOOD.normalizer(rows));
        gradients(report, rows, CheckedLoss.NEGATIVE_LOG_LIKELIHOOD, whole);
        gradients(
                report,
                List.of(rows.get(single.path("row").asInt())),
                CheckedLoss.NEGATIVE_LOG_LIKELIHOOD,
                single);
        adamW(report, rows, CheckedLoss.NEGATIVE_LOG_LIKELIHOOD, block.path("adamw"));
    }

    /** Rows of a fine-tuning block: labels of -100 are not supervised. */
    static List<TrainingRow> rows(JsonNode block) {
        List<TrainingRow> rows = new ArrayList<>();
        for (int r = 0; r < block.path("input_ids").size(); r++) {
            int[] places = CheckNumbers.places(block.path("attention_mask").path(r));
            boolean[] supervised = new boolean[places.length];
            for (int t = 0; t < places.length; t++) {
                supervised[t] = block.path("labels").path(r).path(places[t]).asInt() != IGNORED;
            }
            rows.add(row(block, r, supervised));
        }
        return rows;
    }

    private static TrainingRow row(JsonNode block, int r, boolean[] supervised) {
        int[] ids =
                CheckNumbers.real(
                        block.path("input_ids").path(r), block.path("attention_mask").path(r));
        return TrainingRow.of(TokenTree.trunk(TokenSegment.of(ids, supervised, new int[0])));
    }

    /** Compares loss and gradients of a batch at the initial weights. */
    void gradients(
            CheckReport report, List<TrainingRow> rows, LossFunction loss, JsonNode expected) {
        model.with(
                decoder -> {
                    Trainer trainer = new Trainer(decoder, OptimizerOptions.adamW(0));
                    double value = trainer.accumulate(rows, loss, WHOLE_BATCH, new HashMap<>());
                    report.compare(Quantity.LOSS, expected.path("loss").asDouble(), value);
                    compareGradients(
                            report,
                            CheckedModel.byName(decoder, trainer.optimizer().gradients()),
                            expected.path("grads"));
                    return true;
                });
    }

    static void compareGradients(
            CheckReport report, Map<String, float[]> actual, JsonNode expected) {
        double squares = 0;
        for (Map.Entry<String, JsonNode> entry : expected.path("params").properties()) {
            float[] own = named(actual, entry.getKey());
            double norm = CheckedModel.norm(own);
            squares += norm * norm;
            JsonNode numbers = entry.getValue();
            report.compareRelative(Quantity.GRADIENT_NORM, numbers.path("norm").asDouble(), norm);
            double largest = 0;
            for (JsonNode value : numbers.path("val")) {
                largest = Math.max(largest, Math.abs(value.asDouble()));
            }
            for (int i = 0; i < numbers.path("idx").size(); i++) {
                double value = own[numbers.path("idx").path(i).asInt()];
                double reference = numbers.path("val").path(i).asDouble();
                report.compare(
                        Quantity.GRADIENT,
                        reference / Math.max(largest, 1e-30),
                        value / Math.max(largest, 1e-30));
            }
        }
        report.same(expected.path("params").size(), actual.size());
        report.compareRelative(
                Quantity.GRADIENT_NORM,
                expected.path("global_norm").asDouble(),
                Math.sqrt(squares));
    }

    private static float[] named(Map<String, float[]> values, String name) {
        float[] own = values.get(name);
        if (own == null) {
            throw new DjlEngineException("the model has no tensor " + name);
        }
        return own;
    }

    static OptimizerOptions options(JsonNode adamW) {
        return new OptimizerOptions(
                adamW.path("betas").path(0).asDouble(),
                adamW.path("betas").path(1).asDouble(),
                adamW.path("eps").asDouble(),
                adamW.path("weight_decay").asDouble());
    }

    /** Steps on the same batch again and again. */
    void adamW(CheckReport report, List<TrainingRow> rows, LossFunction loss, JsonNode expected) {
        model.with(
                decoder -> {
                    Trainer trainer = new Trainer(decoder, options(expected));
                    JsonNode losses = expected.path("losses_after_steps_1_to_4");
                    for (int step = 0; step < losses.size(); step++) {
                        trainer.accumulate(rows, loss, WHOLE_BATCH, new HashMap<>());
                        trainer.optimizer().step(expected.path("lr").asDouble(), 1);
                        if (step == 0) {
                            compareWeights(
                                    report,
                                    CheckedModel.byName(decoder, decoder.trained()),
                                    expected.path("params_after_step1"));
                        }
                        double after = loss(trainer, rows, loss);
                        report.compare(Quantity.LATER_LOSS, losses.path(step).asDouble(), after);
                    }
                    return true;
                });
    }

    private static double loss(Trainer trainer, List<TrainingRow> rows, LossFunction loss) {
        double value = trainer.accumulate(rows, loss, WHOLE_BATCH, new HashMap<>());
        trainer.optimizer().clear();
        return value;
    }

    static void compareWeights(CheckReport report, Map<String, float[]> actual, JsonNode expected) {
        report.same(expected.size(), actual.size());
        for (Map.Entry<String, JsonNode> entry : expected.properties()) {
            float[] own = named(actual, entry.getKey());
            JsonNode numbers = entry.getValue();
            report.compareRelative(
                    Quantity.WEIGHT_NORM, numbers.path("norm").asDouble(), CheckedModel.norm(own));
            for (int i = 0; i < numbers.path("idx").size(); i++) {
                report.compare(
                        Quantity.WEIGHT,
                        numbers.path("val").path(i).asDouble(),
                        own[numbers.path("idx").path(i).asInt()]);
            }
        }
    }

    /** A sequence classifier on soft labels. */
    void softTargets(CheckReport report, JsonNode block) {
        List<int[]> rows = CheckNumbers.rows(model.block(block.path("uses").asText()));
        List<TrainingRow> training = new ArrayList<>();
        for (int r = 0; r < rows.size(); r++) {
            double target = block.path("targets").path(r).asDouble();
            training.add(
                    TrainingRow.of(TokenTree.trunk(TokenSegment.scored(rows.get(r))))
                            .with(TrainingRow.LABEL, 0, target));
        }
        gradients(report, training, CheckedLoss.BINARY_CROSS_ENTROPY, block);
        adamW(report, training, CheckedLoss.BINARY_CROSS_ENTROPY, block.path("adamw"));
    }

    /** Preferences at the initial weights, and after one plain gradient step. */
    void preference(CheckReport report, JsonNode block) {
        double beta = block.path("beta").asDouble();
        List<TrainingRow> rows = new ArrayList<>();
        for (int r = 0; r < block.path("input_ids").size(); r++) {
            int[] places = CheckNumbers.places(block.path("attention_mask").path(r));
            boolean[] supervised = new boolean[places.length];
            for (int t = 0; t < places.length; t++) {
                supervised[t] = block.path("completion_mask").path(r).path(places[t]).asInt() == 1;
            }
            double reference = block.path("ref_logps").path(r).asDouble();
            rows.add(
                    row(block, r, supervised)
                            .inGroup(r / 2)
                            .with(TrainingRow.LABEL, 0, reference, beta));
        }
        model.with(
                decoder -> {
                    Trainer trainer = new Trainer(decoder, OptimizerOptions.adamW(0));
                    preferenceStep(report, trainer, decoder, rows, block.path("step0"));
                    gradientDescent(trainer, decoder, block.path("sgd_lr").asDouble());
                    preferenceStep(report, trainer, decoder, rows, block.path("step1"));
                    return true;
                });
    }

    private static void gradientDescent(Trainer trainer, Decoder decoder, double rate) {
        Map<String, float[]> weights = CheckedModel.byName(decoder, decoder.trained());
        CheckedModel.byName(decoder, trainer.optimizer().gradients())
                .forEach(
                        (name, slope) -> {
                            float[] values = weights.get(name);
                            for (int i = 0; i < slope.length; i++) {
                                values[i] -= (float) (rate * slope[i]);
                            }
                        });
        CheckedModel.set(decoder, weights);
        trainer.optimizer().clear();
    }

    private static void preferenceStep(
            CheckReport report,
            Trainer trainer,
            Decoder decoder,
            List<TrainingRow> rows,
            JsonNode expected) {
        SummedLogProbs recorder = new SummedLogProbs();
        double loss = trainer.accumulate(rows, recorder, WHOLE_BATCH, new HashMap<>());
        report.compare(Quantity.LOSS, expected.path("loss").asDouble(), loss);
        for (int r = 0; r < rows.size(); r++) {
            double own = recorder.sums[r];
            report.compare(
                    Quantity.SUMMED_LOG_PROB,
                    expected.path("policy_logps").path(r).asDouble(),
                    own);
            double[] label = rows.get(r).values(TrainingRow.LABEL, 0);
            JsonNode rewards = expected.path(r % 2 == 0 ? "chosen_rewards" : "rejected_rewards");
            report.compare(
                    Quantity.SUMMED_LOG_PROB,
                    rewards.path(r / 2).asDouble(),
                    label[1] * (own - label[0]));
        }
        compareGradients(
                report,
                CheckedModel.byName(decoder, trainer.optimizer().gradients()),
                expected.path("grads"));
    }

    /** The preference loss, remembering the sums that it saw in the rows' original order. */
    private static final class SummedLogProbs implements LossFunction {
        private double[] sums = {};

        @Override
        public java.util.Set<io.agentprm.api.lm.Channel> channels() {
            return CheckedLoss.PREFERENCE.channels();
        }

        @Override
        public double normalizer(List<TrainingRow> batch) {
            sums = new double[batch.size()];
            order = batch;
            return CheckedLoss.PREFERENCE.normalizer(batch);
        }

        private List<TrainingRow> order = List.of();

        @Override
        public Value evaluate(
                List<TrainingRow> rows,
                io.agentprm.api.lm.ModelOutputs outputs,
                double normalizer) {
            for (int r = 0; r < rows.size(); r++) {
                double sum = 0;
                for (double x : outputs.at(CheckedLoss.PREFERENCE.channel(), r, 0)) {
                    sum += x;
                }
                sums[order.indexOf(rows.get(r))] = sum;
            }
            return CheckedLoss.PREFERENCE.evaluate(rows, outputs, normalizer);
        }
    }
}
