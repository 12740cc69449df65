package io.agentprm.engine.djl;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.engine.djl.CheckReport.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Scores of a sequence classifier with one label, and its training on soft labels. */
final class ClassifierCheck {
    private final CheckedModel model;

    ClassifierCheck(CheckedModel model) {
        this.model = model;
    }

    private static List<int[]> rows(JsonNode block) {
        List<int[]> rows = new ArrayList<>();
        for (int r = 0; r < block.path("input_ids").size(); r++) {
            rows.add(
                    CheckedModel.real(
                            block.path("input_ids").path(r), block.path("attention_mask").path(r)));
        }
        return rows;
    }

    /** Scores at all real positions; the pooled one is the last by the mask. */
    void padded(CheckReport report, JsonNode block) {
        double[][] scores = model.with(d -> CheckedOutputs.scores(d, rows(block)));
        for (int r = 0; r < scores.length; r++) {
            int[] places = CheckedModel.places(block.path("attention_mask").path(r));
            report.same(block.path("pooled_position").path(r).asLong(), places[places.length - 1]);
            report.compare(
                    Quantity.LOGIT,
                    block.path("logits").path(r).path(0).asDouble(),
                    scores[r][places.length - 1]);
            for (int t = 0; t < places.length; t++) {
                report.compare(
                        Quantity.LOGIT,
                        block.path("score_all_positions").path(r).path(places[t]).asDouble(),
                        scores[r][t]);
            }
        }
    }

    /** The rows of the padded block one by one. */
    void single(CheckReport report, JsonNode block) {
        List<int[]> rows = rows(model.block("right_padded"));
        for (int r = 0; r < block.size(); r++) {
            int[] row = rows.get(r);
            double[] scores = model.with(d -> CheckedOutputs.scores(d, List.of(row))[0]);
            report.compare(
                    Quantity.LOGIT, block.path(r).path(0).asDouble(), scores[row.length - 1]);
        }
    }

    /**
     * Hugging Face pools before a last token that has the padding's id. We read scores where the
     * mask says; read at its position, the numbers agree.
     */
    void padAsLast(CheckReport report, JsonNode block) {
        double[][] scores = model.with(d -> CheckedOutputs.scores(d, rows(block)));
        for (int r = 0; r < scores.length; r++) {
            report.compare(
                    Quantity.LOGIT,
                    block.path("logits").path(r).path(0).asDouble(),
                    scores[r][block.path("pooled_position").path(r).asInt()]);
        }
    }

    void softTargets(CheckReport report, JsonNode block) {
        List<int[]> rows = rows(model.block(block.path("uses").asText()));
        List<TrainingRow> training = new ArrayList<>();
        for (int r = 0; r < rows.size(); r++) {
            double target = block.path("targets").path(r).asDouble();
            training.add(
                    TrainingRow.of(TokenTree.trunk(TokenSegment.scored(rows.get(r))))
                            .with(TrainingRow.LABEL, 0, target));
        }
        double[][] scores = model.with(d -> CheckedOutputs.scores(d, rows));
        for (int r = 0; r < scores.length; r++) {
            double z = scores[r][scores[r].length - 1];
            double y = block.path("targets").path(r).asDouble();
            double loss = Math.max(z, 0) - z * y + Math.log1p(Math.exp(-Math.abs(z)));
            report.compare(Quantity.LOSS, block.path("per_row").path(r).asDouble(), loss);
        }
        TrainingCheck checks = new TrainingCheck(model);
        checks.gradients(report, training, CheckedLoss.BINARY_CROSS_ENTROPY, block);
        checks.adamW(report, training, CheckedLoss.BINARY_CROSS_ENTROPY, block.path("adamw"));
    }

    /** What Hugging Face's class returns by itself as loss for the soft labels. */
    void squaredError(CheckReport report, JsonNode block) {
        JsonNode soft = model.block("soft_bce");
        List<int[]> rows = rows(model.block(soft.path("uses").asText()));
        double[][] scores = model.with(d -> CheckedOutputs.scores(d, rows));
        double[] errors = new double[scores.length];
        Arrays.setAll(
                errors,
                r -> scores[r][scores[r].length - 1] - soft.path("targets").path(r).asDouble());
        double loss = Arrays.stream(errors).map(e -> e * e).average().orElse(Double.NaN);
        report.compare(Quantity.LOSS, block.asDouble(), loss);
    }
}
