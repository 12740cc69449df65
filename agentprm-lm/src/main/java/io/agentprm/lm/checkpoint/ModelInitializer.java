package io.agentprm.lm.checkpoint;

import io.agentprm.api.run.RandomSource;
import io.agentprm.lm.LanguageModelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Creates model directories: new ones from a configuration, and ones with a score head added. */
public final class ModelInitializer {
    private ModelInitializer() {}

    /**
     * Writes a new model with random weights. The same configuration, seed and initialisation give
     * the same bytes on every machine.
     *
     * @param target must not exist
     * @param tokenizer a {@code tokenizer.json} that is copied along
     * @throws LanguageModelException if the directory cannot be written
     */
    public static ModelDirectory create(
            Path target,
            ModelConfig config,
            Initialization initialization,
            long seed,
            Optional<Path> tokenizer) {
        List<TensorData> tensors = new ArrayList<>();
        for (TensorSpec spec : config.tensors()) {
            tensors.add(random(config, spec, initialization, seed));
        }
        return ModelDirectory.create(
                target,
                config,
                tensors,
                ElementType.F32,
                tokenizer.map(CompanionFiles::ofTokenizer).orElseGet(CompanionFiles::none));
    }

    /**
     * Copies a model (weights as F32, the files beside them as they are) and gives it a new score
     * head, drawn with standard deviation 1/√(hidden + 1) as the reward models of the released
     * AgentPRM code. The language head stays, so that one pass can give log-probabilities and
     * scores. Of an adapter, the adapter is copied, and the head belongs to it.
     *
     * @param target must not exist
     * @param bias whether the head has a bias, which starts at 0. Hugging Face's classifiers have
     *     none and would ignore it
     * @throws LanguageModelException if the source has a score head already, or something cannot be
     *     read or written
     */
    public static ModelDirectory addScoreHead(Path source, Path target, long seed, boolean bias) {
        ModelDirectory from = ModelDirectory.open(source);
        if (from.config().scoreHead()) {
            throw new LanguageModelException(source + " has a score head already");
        }
        ModelConfig config = from.config().toBuilder().scoreHead(true).scoreBias(bias).build();
        if (from.adapter().isPresent()) {
            return AdapterInitializer.withHead(from, target, head(config, seed));
        }
        try (Tensors weights = from.openWeights()) {
            List<TensorData> tensors = new ArrayList<>();
            for (TensorSpec spec : from.config().tensors()) {
                tensors.add(TensorData.from(weights, spec.name()));
            }
            tensors.addAll(head(config, seed));
            return ModelDirectory.create(
                    target, config, tensors, ElementType.F32, from.companions());
        }
    }

    /** The tensors of a new score head. */
    static List<TensorData> head(ModelConfig config, long seed) {
        List<TensorData> tensors = new ArrayList<>();
        float[] weight = new float[config.hiddenSize()];
        fill(weight, draws(seed, ModelConfig.SCORE_WEIGHT), headDeviation(config));
        TensorShape shape = TensorShape.of(1, config.hiddenSize());
        tensors.add(TensorData.of(ModelConfig.SCORE_WEIGHT, shape, weight));
        if (config.scoreBias()) {
            tensors.add(TensorData.of(ModelConfig.SCORE_BIAS, TensorShape.of(1), new float[1]));
        }
        return tensors;
    }

    private static TensorData random(
            ModelConfig config, TensorSpec spec, Initialization initialization, long seed) {
        float[] values = new float[Math.toIntExact(spec.shape().elements())];
        if (spec.name().endsWith("norm.weight")) {
            Arrays.fill(values, 1);
        } else if (!spec.name().endsWith(".bias")) {
            double deviation =
                    spec.name().equals(ModelConfig.SCORE_WEIGHT)
                            ? headDeviation(config)
                            : initialization.deviation(config, spec);
            fill(values, draws(seed, spec.name()), deviation);
        }
        return TensorData.of(spec.name(), spec.shape(), values);
    }

    /** A stream of its own for each name, so that one tensor's draws do not shift another's. */
    static RandomGenerator draws(long seed, String name) {
        return RandomSource.of(seed).derive(name).generator();
    }

    private static double headDeviation(ModelConfig config) {
        return 1 / Math.sqrt(config.hiddenSize() + 1.0);
    }

    private static void fill(float[] values, RandomGenerator normal, double deviation) {
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (normal.nextGaussian() * deviation);
        }
    }
}
