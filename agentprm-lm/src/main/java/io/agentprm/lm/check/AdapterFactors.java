package io.agentprm.lm.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.lm.check.CheckReport.Quantity;
import io.agentprm.lm.checkpoint.LoraAdapter;
import java.util.Map;
import java.util.TreeMap;

/** The factors of a low-rank adapter by their names in its file. */
public final class AdapterFactors {
    private AdapterFactors() {}

    /**
     * Name of a factor.
     *
     * @param weight name of the weight that it changes
     * @param factor A or B
     */
    public static String name(String weight, String factor) {
        String stem = weight.substring(0, weight.length() - ".weight".length());
        return "base_model.model." + stem + ".lora_" + factor + ".weight";
    }

    /** Copies of all factors. */
    public static Map<String, float[]> of(LoraAdapter adapter) {
        Map<String, float[]> out = new TreeMap<>();
        for (String weight : adapter.weights()) {
            out.put(name(weight, "A"), adapter.factors(weight).a().clone());
            out.put(name(weight, "B"), adapter.factors(weight).b().clone());
        }
        return out;
    }

    static CheckBlock scale(LoraAdapter adapter) {
        return (report, block) -> report.compare(Quantity.SCALE, block.asDouble(), adapter.scale());
    }

    /** Names and sizes. */
    static CheckBlock tensors(LoraAdapter adapter) {
        return (report, block) -> {
            Map<String, float[]> own = of(adapter);
            report.same(block.size(), own.size());
            for (JsonNode entry : block) {
                float[] values = own.get(entry.path(0).asText());
                long elements = 1;
                for (JsonNode dim : entry.path(1)) {
                    elements *= dim.asLong();
                }
                report.same(elements, values == null ? -1 : values.length);
            }
        };
    }
}
