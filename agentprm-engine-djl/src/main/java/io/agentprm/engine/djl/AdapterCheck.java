package io.agentprm.engine.djl;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.lm.check.CheckReport;
import java.util.List;

/** The training of a low-rank adapter's factors over a frozen base. */
final class AdapterCheck {
    private final TrainingCheck training;

    AdapterCheck(TrainingCheck training) {
        this.training = training;
    }

    void fineTuning(CheckReport report, JsonNode block) {
        List<TrainingRow> rows = TrainingCheck.rows(block);
        training.gradients(report, rows, CheckedLoss.NEGATIVE_LOG_LIKELIHOOD, block);
        training.adamW(report, rows, CheckedLoss.NEGATIVE_LOG_LIKELIHOOD, block.path("adamw"));
    }
}
