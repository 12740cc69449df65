package io.agentprm.engine.djl;

import io.agentprm.lm.checkpoint.AdapterConfig;
import io.agentprm.lm.checkpoint.LoraAdapter;
import io.agentprm.lm.checkpoint.LoraConfig;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.TensorData;
import io.agentprm.lm.checkpoint.TensorShape;
import io.agentprm.lm.checkpoint.TensorSpec;
import io.agentprm.lm.testing.TinyModels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;

/** Tiny models without a score head, and adapters over them that change much. */
final class LoraModels {
    static final List<String> ALL =
            List.of("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj");

    private LoraModels() {}

    /** A base with grouped queries, and biases and norms on demand. */
    static ModelDirectory base(Path parent, boolean qkvBias, boolean qkNorm) {
        ModelConfig config =
                TinyModels.config(32, 2, 48).toBuilder()
                        .scoreBias(false)
                        .scoreHead(false)
                        .qkvBias(qkvBias)
                        .qkNorm(qkNorm)
                        .build();
        return ModelDirectory.open(TinyModels.create(parent, "base", 5, config));
    }

    static ModelDirectory base(Path parent) {
        return base(parent, false, false);
    }

    static LoraConfig lora(double dropout, List<String> targets) {
        return new LoraConfig(3, 4, targets, dropout, false);
    }

    /** An adapter all of whose tensors are random. */
    static Path adapter(
            Path target, ModelDirectory base, LoraConfig lora, boolean scoreHead, long seed) {
        return write(target, base, lora, scoreHead, seed, name -> true);
    }

    /** An adapter with some of the tensors only. */
    static Path some(Path target, ModelDirectory base, Predicate<String> which) {
        return write(target, base, lora(0, ALL), false, 1, which);
    }

    private static Path write(
            Path target,
            ModelDirectory base,
            LoraConfig lora,
            boolean scoreHead,
            long seed,
            Predicate<String> which) {
        Random random = new Random(seed);
        List<TensorData> tensors = new ArrayList<>();
        AdapterConfig config =
                new AdapterConfig(
                        base.path().toString(),
                        Optional.of(base.weightsHash()),
                        lora,
                        List.of(),
                        scoreHead);
        for (TensorSpec spec : LoraAdapter.factorSpecs(base.config(), config)) {
            if (which.test(spec.name())) {
                tensors.add(random(random, spec.name(), spec.shape()));
            }
        }
        if (scoreHead) {
            TensorShape shape = TensorShape.of(1, base.config().hiddenSize());
            tensors.add(random(random, ModelConfig.SCORE_WEIGHT, shape));
        }
        return ModelDirectory.createAdapter(
                        target, config, tensors, base.companions(), base.stopTokenIds())
                .path();
    }

    private static TensorData random(Random random, String name, TensorShape shape) {
        float[] values = new float[(int) shape.elements()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (0.3 * random.nextGaussian());
        }
        return TensorData.of(name, shape, values);
    }
}
