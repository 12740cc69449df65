package io.agentprm.engine.djl;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.lm.check.AdapterFactors;
import io.agentprm.lm.check.CheckReport;
import io.agentprm.lm.check.CheckReport.Quantity;
import io.agentprm.lm.checkpoint.LoraAdapter;
import io.agentprm.lm.checkpoint.Tensors;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The training of a low-rank adapter's factors. The engine computes on merged weights W + s B A, so
 * dL/dA = s Bᵀ dL/dW and dL/dB = s dL/dW Aᵀ.
 */
final class AdapterCheck {
    private static final int WHOLE_BATCH = 1 << 20;

    private final CheckedModel model;

    AdapterCheck(CheckedModel model) {
        this.model = model;
    }

    private LoraAdapter adapter() {
        return model.adapter().orElseThrow();
    }

    void fineTuning(CheckReport report, JsonNode block) {
        List<TrainingRow> rows = TrainingCheck.rows(block);
        JsonNode adamW = block.path("adamw");
        JsonNode losses = adamW.path("losses_after_steps_1_to_4");
        OptimizerOptions options = TrainingCheck.options(adamW);
        Map<String, float[]> factors = AdapterFactors.of(adapter());
        Map<String, double[][]> moments = new HashMap<>();
        model.with(
                decoder -> {
                    Trainer trainer = new Trainer(decoder, options);
                    for (int step = 0; step <= losses.size(); step++) {
                        merge(decoder, factors);
                        double loss =
                                trainer.accumulate(
                                        rows,
                                        CheckedLoss.NEGATIVE_LOG_LIKELIHOOD,
                                        WHOLE_BATCH,
                                        new HashMap<>());
                        Map<String, float[]> slopes =
                                slopes(
                                        factors,
                                        CheckedModel.byName(
                                                decoder, trainer.optimizer().gradients()));
                        trainer.optimizer().clear();
                        if (step == 0) {
                            double expected = block.path("loss").asDouble();
                            report.compare(Quantity.LOSS, expected, loss);
                            TrainingCheck.compareGradients(report, slopes, block.path("grads"));
                        } else {
                            double expected = losses.path(step - 1).asDouble();
                            report.compare(Quantity.LATER_LOSS, expected, loss);
                        }
                        update(
                                factors,
                                slopes,
                                moments,
                                options,
                                adamW.path("lr").asDouble(),
                                step + 1);
                        if (step == 0) {
                            TrainingCheck.compareWeights(
                                    report, factors, adamW.path("params_after_step1"));
                        }
                    }
                    return true;
                });
    }

    private void merge(Decoder decoder, Map<String, float[]> factors) {
        try (Tensors tensors = model.directory().openWeights()) {
            Map<String, float[]> weights = new HashMap<>();
            for (String name : tensors.names()) {
                weights.put(name, tensors.toArray(name).clone());
            }
            LoraAdapter adapter = adapter();
            for (String weight : adapter.weights()) {
                LoraAdapter.Factors f = adapter.factors(weight);
                float[] a = factors.get(AdapterFactors.name(weight, "A"));
                float[] b = factors.get(AdapterFactors.name(weight, "B"));
                float[] w = weights.get(weight);
                for (int o = 0; o < f.out(); o++) {
                    for (int i = 0; i < f.in(); i++) {
                        double sum = 0;
                        for (int r = 0; r < f.rank(); r++) {
                            sum += (double) b[o * f.rank() + r] * a[r * f.in() + i];
                        }
                        w[o * f.in() + i] += (float) (adapter.scale() * sum);
                    }
                }
            }
            CheckedModel.set(decoder, weights);
        }
    }

    private Map<String, float[]> slopes(
            Map<String, float[]> factors, Map<String, float[]> weightSlopes) {
        Map<String, float[]> out = new TreeMap<>();
        LoraAdapter adapter = adapter();
        for (String weight : adapter.weights()) {
            LoraAdapter.Factors f = adapter.factors(weight);
            float[] slope = weightSlopes.get(weight);
            float[] a = factors.get(AdapterFactors.name(weight, "A"));
            float[] b = factors.get(AdapterFactors.name(weight, "B"));
            double[] slopeA = new double[a.length];
            double[] slopeB = new double[b.length];
            for (int o = 0; o < f.out(); o++) {
                for (int r = 0; r < f.rank(); r++) {
                    for (int i = 0; i < f.in(); i++) {
                        double s = adapter.scale() * slope[o * f.in() + i];
                        slopeA[r * f.in() + i] += s * b[o * f.rank() + r];
                        slopeB[o * f.rank() + r] += s * a[r * f.in() + i];
                    }
                }
            }
            out.put(AdapterFactors.name(weight, "A"), floats(slopeA));
            out.put(AdapterFactors.name(weight, "B"), floats(slopeB));
        }
        return out;
    }

    private static float[] floats(double[] values) {
        float[] out = new float[values.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = (float) values[i];
        }
        return out;
    }

    /** AdamW on the factors, which are no weights of the engine. */
    private static void update(
            Map<String, float[]> factors,
            Map<String, float[]> slopes,
            Map<String, double[][]> moments,
            OptimizerOptions o,
            double rate,
            int step) {
        factors.forEach(
                (name, values) -> {
                    float[] g = slopes.get(name);
                    double[][] mv =
                            moments.computeIfAbsent(name, k -> new double[2][values.length]);
                    for (int i = 0; i < values.length; i++) {
                        mv[0][i] = o.beta1() * mv[0][i] + (1 - o.beta1()) * g[i];
                        mv[1][i] = o.beta2() * mv[1][i] + (1 - o.beta2()) * g[i] * g[i];
                        double m = mv[0][i] / (1 - Math.pow(o.beta1(), step));
                        double v = mv[1][i] / (1 - Math.pow(o.beta2(), step));
                        double decayed = values[i] * (1 - rate * o.weightDecay());
                        values[i] = (float) (decayed - rate * m / (Math.sqrt(v) + o.epsilon()));
                    }
                });
    }
}
