package io.agentprm.lm.checkpoint;

import io.agentprm.lm.LanguageModelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Creates directories of adapters. */
public final class AdapterInitializer {
    private AdapterInitializer() {}

    /**
     * Writes a new adapter over a model that stays where it is. As in PEFT, A is uniform within
     * ±1/√in (Kaiming's with a = √5) and B is 0, so that nothing changes before training. The same
     * model, settings and seed give the same bytes on every machine.
     *
     * @param base the model, which is named by its absolute path and the hash of its weights
     * @param target must not exist
     * @param scoreHead whether a new score head belongs to the adapter, drawn as {@link
     *     ModelInitializer#addScoreHead} does, without a bias
     * @param stopTokenIds where generation stops
     * @throws LanguageModelException if the base is an adapter itself, or something cannot be read
     *     or written
     */
    public static ModelDirectory create(
            ModelDirectory base,
            Path target,
            LoraConfig lora,
            boolean scoreHead,
            long seed,
            List<Integer> stopTokenIds) {
        if (base.adapter().isPresent()) {
            throw new LanguageModelException(
                    base.path()
                            + " is an adapter already, and training goes on with it; leave out"
                            + " lora, or merge it into its base first");
        }
        AdapterConfig config =
                new AdapterConfig(
                        base.path().toAbsolutePath().normalize().toString(),
                        Optional.of(base.weightsHash()),
                        lora,
                        List.of(),
                        scoreHead);
        List<TensorData> tensors = new ArrayList<>();
        for (TensorSpec spec : LoraAdapter.factorSpecs(base.config(), config)) {
            tensors.add(TensorData.of(spec.name(), spec.shape(), values(spec, seed)));
        }
        if (scoreHead) {
            ModelConfig withHead = base.config().toBuilder().scoreHead(true).build();
            tensors.addAll(ModelInitializer.head(withHead, seed));
        }
        return ModelDirectory.createAdapter(
                target, config, tensors, base.companions(), stopTokenIds);
    }

    private static float[] values(TensorSpec factor, long seed) {
        float[] values = new float[Math.toIntExact(factor.shape().elements())];
        if (LoraAdapter.isFactorA(factor)) {
            double bound = 1 / Math.sqrt(factor.shape().dim(1));
            RandomGenerator random = ModelInitializer.draws(seed, factor.name());
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) ((2 * random.nextDouble() - 1) * bound);
            }
        }
        return values;
    }

    /** A copy of an adapter, which has no score head, with one. */
    static ModelDirectory withHead(ModelDirectory from, Path target, List<TensorData> head) {
        LoraAdapter adapter = from.adapter().orElseThrow();
        AdapterConfig config = adapter.config();
        List<TensorData> tensors = new ArrayList<>(head);
        for (TensorSpec spec : adapter.specs(from.base().config())) {
            tensors.add(TensorData.of(spec.name(), spec.shape(), adapter.values(spec.name())));
        }
        return ModelDirectory.createAdapter(
                target,
                new AdapterConfig(
                        config.base(), config.baseHash(), config.lora(), config.layers(), true),
                tensors,
                from.companions(),
                from.stopTokenIds());
    }
}
