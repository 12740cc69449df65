package io.agentprm.lm.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.lm.check.CheckReport.Quantity;
import io.agentprm.lm.checkpoint.LoraAdapter;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.TensorShape;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The factors of a low-rank adapter by their names in its file. */
final class AdapterFactors {
    private AdapterFactors() {}

    static CheckBlock scale(LoraAdapter adapter) {
        return (report, block) -> report.compare(Quantity.SCALE, block.asDouble(), adapter.scale());
    }

    /** Names and shapes. */
    static CheckBlock tensors(LoraAdapter adapter, ModelConfig base) {
        return (report, block) -> {
            Map<String, TensorShape> own = new HashMap<>();
            LoraAdapter.factorSpecs(base, adapter.config())
                    .forEach(spec -> own.put(spec.name(), spec.shape()));
            report.same(block.size(), own.size());
            for (JsonNode entry : block) {
                long[] dims = new long[entry.path(1).size()];
                Arrays.setAll(dims, i -> entry.path(1).path(i).asLong());
                boolean same = TensorShape.of(dims).equals(own.get(entry.path(0).asText()));
                report.same(1, same ? 1 : 0);
            }
        };
    }
}
