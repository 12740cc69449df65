package io.agentprm.lm.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.lm.check.CheckReport.Quantity;
import io.agentprm.lm.checkpoint.ModelConfig;
import java.util.Arrays;
import java.util.List;

/** Scores of a sequence classifier with one label. */
final class ClassifierCheck {
    private final CheckedOutputs outputs;
    private final JsonNode numbers;

    /**
     * @param numbers all blocks of the file
     */
    ClassifierCheck(ModelConfig config, Subject subject, JsonNode numbers) {
        this.outputs = new CheckedOutputs(subject, config);
        this.numbers = numbers;
    }

    /** Scores at all real positions; the pooled one is the last by the mask. */
    void padded(CheckReport report, JsonNode block) {
        double[][] scores = outputs.scores(CheckNumbers.rows(block));
        for (int r = 0; r < scores.length; r++) {
            int[] places = CheckNumbers.places(block.path("attention_mask").path(r));
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
        List<int[]> rows = CheckNumbers.rows(numbers.path("right_padded"));
        for (int r = 0; r < block.size(); r++) {
            int[] row = rows.get(r);
            double[] scores = outputs.scores(List.of(row))[0];
            report.compare(
                    Quantity.LOGIT, block.path(r).path(0).asDouble(), scores[row.length - 1]);
        }
    }

    /**
     * Hugging Face pools before a last token that has the padding's id. We read scores where the
     * mask says; read at its position, the numbers agree.
     */
    void padAsLast(CheckReport report, JsonNode block) {
        double[][] scores = outputs.scores(CheckNumbers.rows(block));
        for (int r = 0; r < scores.length; r++) {
            report.compare(
                    Quantity.LOGIT,
                    block.path("logits").path(r).path(0).asDouble(),
                    scores[r][block.path("pooled_position").path(r).asInt()]);
        }
    }

    /** Binary cross entropy with soft labels, row by row. */
    void softTargets(CheckReport report, JsonNode block) {
        double[][] scores = outputs.scores(used(block));
        for (int r = 0; r < scores.length; r++) {
            double z = scores[r][scores[r].length - 1];
            double y = block.path("targets").path(r).asDouble();
            double loss = Math.max(z, 0) - z * y + Math.log1p(Math.exp(-Math.abs(z)));
            report.compare(Quantity.LOSS, block.path("per_row").path(r).asDouble(), loss);
        }
    }

    /** What Hugging Face's class returns by itself as loss for the soft labels. */
    void squaredError(CheckReport report, JsonNode block) {
        JsonNode soft = numbers.path("soft_bce");
        double[][] scores = outputs.scores(used(soft));
        double[] errors = new double[scores.length];
        Arrays.setAll(
                errors,
                r -> scores[r][scores[r].length - 1] - soft.path("targets").path(r).asDouble());
        double loss = Arrays.stream(errors).map(e -> e * e).average().orElse(Double.NaN);
        report.compare(Quantity.LOSS, block.asDouble(), loss);
    }

    private List<int[]> used(JsonNode soft) {
        return CheckNumbers.rows(numbers.path(soft.path("uses").asText()));
    }
}
