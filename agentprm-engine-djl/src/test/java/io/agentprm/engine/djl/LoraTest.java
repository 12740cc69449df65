package io.agentprm.engine.djl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.run.RandomSource;
import io.agentprm.lm.checkpoint.AdapterInitializer;
import io.agentprm.lm.checkpoint.ElementType;
import io.agentprm.lm.checkpoint.LoraAdapter;
import io.agentprm.lm.checkpoint.LoraConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.ModelInitializer;
import io.agentprm.lm.checkpoint.WholeModel;
import io.agentprm.lm.testing.TinyModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Adapters over a frozen base that they share. */
class LoraTest {
    private static final Channel LOG_PROB = Channel.logProb(1);
    private static final Losses TOKENS =
            Losses.of(Map.of(LOG_PROB, -1.0, Channel.entropy(0.7), 0.3));
    private static final Losses EVERYTHING =
            Losses.of(Map.of(LOG_PROB, -1.0, Channel.entropy(0.7), 0.3, Channel.SCORE, 0.7));
    private static final OptimizerOptions PLAIN = OptimizerOptions.adamW(0);
    private static final UpdateOptions STEP =
            new UpdateOptions(1e-2, Double.POSITIVE_INFINITY, 1 << 20);

    @TempDir Path dir;
    private DjlEngine engine;

    @BeforeEach
    void open() {
        engine = TestEngine.open();
    }

    private static TokenTree row(int seed, int length) {
        boolean[] supervised = new boolean[length];
        Arrays.fill(supervised, 1, length, true);
        int[] tokens = new Random(seed).ints(length, 3, TinyModels.VOCABULARY).toArray();
        return TokenTree.trunk(TokenSegment.of(tokens, supervised, new int[] {length - 1}));
    }

    private static List<TrainingRow> batch(int seed) {
        return List.of(TrainingRow.of(row(seed, 11)), TrainingRow.of(row(seed + 99, 40)));
    }

    private static double[] outputs(LanguageModel model, Losses of) {
        List<Double> all = new ArrayList<>();
        ModelOutputs outputs = model.evaluate(List.of(row(7, 30)), of.channels());
        for (Channel channel : List.of(LOG_PROB, Channel.entropy(0.7), Channel.SCORE)) {
            if (of.channels().contains(channel)) {
                Arrays.stream(outputs.at(channel, 0, 0)).forEach(all::add);
            }
        }
        return all.stream().mapToDouble(x -> x).toArray();
    }

    private static double distance(double[] a, double[] b) {
        double most = 0;
        for (int i = 0; i < a.length; i++) {
            most = Math.max(most, Math.abs(a[i] - b[i]));
        }
        return most;
    }

    @Test
    void aNewAdapterChangesNothing() {
        ModelDirectory base = LoraModels.base(dir);
        Path adapter = dir.resolve("new");
        AdapterInitializer.create(
                base, adapter, LoraModels.lora(0, LoraModels.ALL), false, 1, base.stopTokenIds());
        try (LanguageModel plain = engine.load(base.path());
                LanguageModel adapted = engine.load(adapter)) {
            assertArrayEquals(outputs(plain, TOKENS), outputs(adapted, TOKENS), 0.0);
        }
    }

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true"})
    void anAdapterBesideTheWeightsGivesTheNumbersOfOneMergedIntoThem(
            boolean qkvBias, boolean qkNorm) {
        ModelDirectory base = LoraModels.base(dir, qkvBias, qkNorm);
        LoraConfig lora = LoraModels.lora(0.5, List.of("k_proj", "v_proj", "o_proj", "up_proj"));
        Path adapter = LoraModels.adapter(dir.resolve("adapter"), base, lora, true, 2);
        try (LanguageModel beside = engine.load(adapter);
                LanguageModel merged = engine.loadWithAdapter(base.path(), adapter);
                LanguageModel plain = engine.load(base.path())) {
            double[] expected = outputs(merged, EVERYTHING);
            assertArrayEquals(expected, outputs(beside, EVERYTHING), 5e-5);
            assertTrue(distance(outputs(plain, TOKENS), expected) > 0.1, "it changes much");
            ContinuationRequest request =
                    new ContinuationRequest(
                            new int[] {5, 9, 20},
                            List.of(new int[] {4, 8}, new int[] {30}),
                            Optional.of("c"));
            assertArrayEquals(
                    merged.score(List.of(request)).get(0),
                    beside.score(List.of(request)).get(0),
                    5e-5);
        }
    }

    private static Decoder decoder(ModelDirectory adapter, boolean oneDnn) {
        return Decoder.over(
                BaseWeights.load(adapter.base(), Device.cpu(), Precision.F32),
                adapter,
                Precision.F32,
                Device.cpu(),
                oneDnn);
    }

    @ParameterizedTest
    @CsvSource({
        "0, q_proj v_proj, false",
        "0, k_proj down_proj, true",
        "0.3, q_proj k_proj v_proj o_proj gate_proj up_proj down_proj, false",
        "0, o_proj, false",
        "0, gate_proj, true",
    })
    void gradientsAgreeWithAutogradAndFiniteDifferences(
            double dropout, String targets, boolean qkNorm) {
        LoraConfig lora = LoraModels.lora(dropout, List.of(targets.split(" ")));
        ModelDirectory model =
                ModelDirectory.open(
                        LoraModels.adapter(
                                dir.resolve("adapter"),
                                LoraModels.base(dir, true, qkNorm),
                                lora,
                                true,
                                4));
        Map<String, float[]> slopes;
        try (Decoder decoder = decoder(model, true)) {
            Trainer trainer = new Trainer(decoder, PLAIN);
            slopes = gradients(decoder, trainer);
            Map<String, float[]> weights = CheckedModel.byName(decoder, decoder.trained());
            assertEquals(weights.keySet(), slopes.keySet());
            double norm = norm(slopes);
            double up = along(decoder, trainer, weights, slopes, 1e-3 / norm);
            double down = along(decoder, trainer, weights, slopes, -1e-3 / norm);
            assertEquals(norm, (up - down) / 2e-3, 0.01 * norm);
        }
        try (Decoder decoder = decoder(model, false)) {
            Map<String, float[]> expected = gradients(decoder, new Trainer(decoder, PLAIN));
            expected.forEach(
                    (name, values) -> {
                        double size = CheckedModel.norm(values);
                        assertTrue(size > 0, name + " has a gradient");
                        for (int i = 0; i < values.length; i++) {
                            assertEquals(values[i], slopes.get(name)[i], 1e-5 * size, name);
                        }
                    });
        }
    }

    private static Map<String, float[]> gradients(Decoder decoder, Trainer trainer) {
        trainer.accumulate(batch(4), EVERYTHING, 1 << 20, new HashMap<>());
        Map<String, float[]> slopes = CheckedModel.byName(decoder, trainer.optimizer().gradients());
        trainer.optimizer().clear();
        return slopes;
    }

    private static double norm(Map<String, float[]> values) {
        double sum = 0;
        for (float[] v : values.values()) {
            sum += Math.pow(CheckedModel.norm(v), 2);
        }
        return Math.sqrt(sum);
    }

    private static double along(
            Decoder decoder,
            Trainer trainer,
            Map<String, float[]> weights,
            Map<String, float[]> direction,
            double distance) {
        Map<String, float[]> moved = new HashMap<>();
        weights.forEach(
                (name, values) -> {
                    float[] copy = values.clone();
                    for (int i = 0; i < copy.length; i++) {
                        copy[i] += (float) (distance * direction.get(name)[i]);
                    }
                    moved.put(name, copy);
                });
        CheckedModel.set(decoder, moved);
        double loss = trainer.accumulate(batch(4), EVERYTHING, 1 << 20, new HashMap<>());
        trainer.optimizer().clear();
        return loss;
    }

    /** Of all native arrays of the process, by their managers' common root. */
    private static long nativeBytes(DjlTrainableModel model) {
        return model.decoder().manager().getParentManager().getManagedArrays().stream()
                .mapToLong(LoraTest::bytes)
                .sum();
    }

    private static long bytes(NDArray array) {
        return array.size() * array.getDataType().getNumOfBytes();
    }

    private static long bytes(List<NDArray> arrays) {
        return arrays.stream().mapToLong(LoraTest::bytes).sum();
    }

    @Test
    void policyRewardModelAndReferenceShareOneBase() {
        ModelDirectory base = LoraModels.base(dir);
        LoraConfig lora = LoraModels.lora(0, LoraModels.ALL);
        Path policy = LoraModels.adapter(dir.resolve("policy"), base, lora, false, 2);
        Path judge = LoraModels.adapter(dir.resolve("prm"), base, lora, true, 3);
        try (DjlTrainableModel first = (DjlTrainableModel) engine.loadTrainable(policy, PLAIN)) {
            Decoder decoder = first.decoder();
            long frozen = bytes(decoder.weights()) - bytes(decoder.trained());
            assertTrue(frozen > 4 * bytes(decoder.trained()));
            long alone = nativeBytes(first);
            try (LanguageModel prm = engine.load(judge);
                    LanguageModel reference = first.snapshot()) {
                first.step(batch(1), TOKENS, STEP);
                prm.evaluate(List.of(row(1, 9)), EVERYTHING.channels());
                long small = 2 * bytes(decoder.trained()) + 4 * decoder.config().hiddenSize();
                long angles = 2 * bytes(List.of(decoder.anglesFor(1)));
                assertEquals(alone + small + angles, nativeBytes(first));
                assertEquals(
                        base.config().parameters() * Float.BYTES,
                        frozen,
                        "the base's tensors are there once");
                assertNotEquals(outputs(first, TOKENS)[0], outputs(reference, TOKENS)[0]);
            }
            assertEquals(alone, nativeBytes(first));
        }
        try (DjlTrainableModel again = (DjlTrainableModel) engine.loadTrainable(policy, PLAIN)) {
            again.step(batch(1), TOKENS, STEP);
            assertTrue(Arrays.stream(outputs(again, TOKENS)).allMatch(Double::isFinite));
        }
    }

    @Test
    void trainingChangesTheAdapterAndNothingElse() {
        ModelDirectory base = LoraModels.base(dir);
        String before = base.contentHash();
        Path adapter =
                LoraModels.adapter(
                        dir.resolve("a"), base, LoraModels.lora(0, LoraModels.ALL), true, 2);
        try (DjlTrainableModel model = (DjlTrainableModel) engine.loadTrainable(adapter, PLAIN)) {
            List<float[]> weights = values(model.decoder());
            model.step(batch(1), EVERYTHING, STEP);
            model.step(batch(2), EVERYTHING, STEP);
            List<float[]> after = values(model.decoder());
            for (int i = 0; i < weights.size(); i++) {
                assertEquals(
                        !model.decoder().layout().trained().contains(i),
                        Arrays.equals(weights.get(i), after.get(i)),
                        model.decoder().layout().tensors().get(i).name());
            }
            assertEquals(
                    model.decoder().layout().trained().size() * 4L,
                    // Without the rotations of positions.
                    model.decoder().manager().getManagedArrays().size() - 1,
                    "weights, both moments and counts of updates, of what is trained only");
        }
        assertEquals(before, base.contentHash());
    }

    @Test
    void onlyWhatIsTrainedAsksForAGradient() {
        Path adapter =
                LoraModels.adapter(
                        dir.resolve("a"),
                        LoraModels.base(dir),
                        LoraModels.lora(0, LoraModels.ALL),
                        true,
                        2);
        try (Decoder decoder = engine.decoder(ModelDirectory.open(adapter));
                Leaves leaves = new Leaves(decoder);
                NDManager manager = decoder.manager().newSubManager()) {
            NDArray[] passed = leaves.list().toTensorArray((PtNDManager) manager);
            for (int i = 0; i < passed.length; i++) {
                assertEquals(
                        decoder.layout().trained().contains(i),
                        passed[i].hasGradient(),
                        decoder.layout().tensors().get(i).name());
            }
            assertEquals(decoder.weights().size(), passed.length);
        }
    }

    private static List<float[]> values(Decoder decoder) {
        return decoder.weights().stream().map(NDArray::toFloatArray).toList();
    }

    @Test
    void afterFineTuningTheFirstPreferenceLossIsLn2AndTheReferenceStays() {
        ModelDirectory base = LoraModels.base(dir);
        Path adapter = dir.resolve("new");
        AdapterInitializer.create(
                base, adapter, LoraModels.lora(0, LoraModels.ALL), false, 1, base.stopTokenIds());
        try (TrainableModel policy = engine.loadTrainable(adapter, PLAIN)) {
            double[] untrained = outputs(policy, TOKENS);
            for (int i = 0; i < 5; i++) {
                policy.step(batch(i), CheckedLoss.NEGATIVE_LOG_LIKELIHOOD, STEP);
            }
            try (LanguageModel reference = policy.snapshot()) {
                double[] frozen = outputs(reference, TOKENS);
                assertTrue(distance(untrained, frozen) > 1e-2, "the reference is the tuned policy");
                List<TrainingRow> pairs = new ArrayList<>();
                for (int r = 0; r < 4; r++) {
                    TokenTree tree = row(50 + r, 12);
                    ModelOutputs logProbs = reference.evaluate(List.of(tree), Set.of(LOG_PROB));
                    double sum = Arrays.stream(logProbs.at(LOG_PROB, 0, 0)).sum();
                    pairs.add(
                            TrainingRow.of(tree)
                                    .inGroup(r / 2)
                                    .with(TrainingRow.LABEL, 0, sum, 0.1));
                }
                double first = policy.step(pairs, CheckedLoss.PREFERENCE, STEP).loss();
                assertEquals(Math.log(2), first, 1e-6);
                for (int i = 0; i < 4; i++) {
                    policy.step(pairs, CheckedLoss.PREFERENCE, STEP);
                }
                assertTrue(policy.step(pairs, CheckedLoss.PREFERENCE, STEP).loss() < first - 0.05);
                assertArrayEquals(frozen, outputs(reference, TOKENS), 0.0);
            }
        }
    }

    @Test
    void aSavedAdapterIsLoadedWithTheSameOutputs() {
        ModelDirectory base = LoraModels.base(dir);
        Path adapter =
                LoraModels.adapter(
                        dir.resolve("a"), base, LoraModels.lora(0, LoraModels.ALL), true, 2);
        Path saved = dir.resolve("saved");
        Path merged = dir.resolve("merged");
        double[] before;
        try (TrainableModel model = engine.loadTrainable(adapter, PLAIN)) {
            model.step(batch(1), EVERYTHING, STEP);
            before = outputs(model, EVERYTHING);
            model.save(saved);
        }
        WholeModel.write(ModelDirectory.open(saved), merged, ElementType.F32);
        try (LanguageModel loaded = engine.load(saved);
                LanguageModel whole = engine.load(merged)) {
            assertArrayEquals(before, outputs(loaded, EVERYTHING), 0.0);
            assertArrayEquals(before, outputs(whole, EVERYTHING), 5e-5);
        }
    }

    @Test
    void aResumedRunWithDropoutEqualsAnUndisturbedOneBitForBit() throws IOException {
        ModelDirectory base = LoraModels.base(dir);
        Path adapter =
                LoraModels.adapter(
                        dir.resolve("a"), base, LoraModels.lora(0.4, LoraModels.ALL), true, 2);
        Path checkpoint = Files.createDirectory(dir.resolve("checkpoint"));
        double[] undisturbed;
        try (TrainableModel model = engine.loadTrainable(adapter, PLAIN)) {
            model.step(batch(1), EVERYTHING, STEP);
            model.saveCheckpoint(checkpoint);
            double first = model.step(batch(1), EVERYTHING, STEP).gradientNorm();
            model.restoreCheckpoint(checkpoint);
            assertEquals(first, model.step(batch(1), EVERYTHING, STEP).gradientNorm());
            undisturbed = outputs(model, EVERYTHING);
        }
        try (TrainableModel resumed = engine.loadTrainable(adapter, PLAIN)) {
            resumed.restoreCheckpoint(checkpoint);
            resumed.step(batch(1), EVERYTHING, STEP);
            assertArrayEquals(undisturbed, outputs(resumed, EVERYTHING), 0.0);
        }
    }

    @Test
    void dropoutIsDrawnAnewForEachUpdateAndIsInTrainingOnly() {
        ModelDirectory base = LoraModels.base(dir);
        Path with =
                LoraModels.adapter(
                        dir.resolve("a"), base, LoraModels.lora(0.4, LoraModels.ALL), true, 2);
        Path without =
                LoraModels.adapter(
                        dir.resolve("b"), base, LoraModels.lora(0, LoraModels.ALL), true, 2);
        UpdateOptions still = new UpdateOptions(0, Double.POSITIVE_INFINITY, 1 << 20);
        try (TrainableModel dropping = engine.loadTrainable(with, PLAIN);
                TrainableModel plain = engine.loadTrainable(without, PLAIN)) {
            double exact = plain.step(batch(1), EVERYTHING, still).loss();
            double first = dropping.step(batch(1), EVERYTHING, still).loss();
            double second = dropping.step(batch(1), EVERYTHING, still).loss();
            assertNotEquals(exact, first);
            assertNotEquals(first, second);
            assertArrayEquals(outputs(plain, EVERYTHING), outputs(dropping, EVERYTHING), 0.0);
        }
    }

    @Test
    void anAdapterOfSomeLayersIsTrainedThereAndNowhereElse() throws IOException {
        ModelDirectory base = LoraModels.base(dir);
        Path adapter =
                LoraModels.some(dir.resolve("first"), base, name -> name.contains(".layers.0."));
        Path merged = dir.resolve("merged");
        Path saved = dir.resolve("saved");
        WholeModel.write(ModelDirectory.open(adapter), merged, ElementType.F32);
        double[] before;
        double[] after;
        try (TrainableModel model = engine.loadTrainable(adapter, PLAIN);
                LanguageModel whole = engine.load(merged);
                LanguageModel plain = engine.load(base.path())) {
            before = outputs(model, TOKENS);
            assertArrayEquals(outputs(whole, TOKENS), before, 5e-5);
            assertTrue(distance(outputs(plain, TOKENS), before) > 1e-3);
            double first = model.step(batch(1), CheckedLoss.NEGATIVE_LOG_LIKELIHOOD, STEP).loss();
            for (int i = 0; i < 5; i++) {
                model.step(batch(1), CheckedLoss.NEGATIVE_LOG_LIKELIHOOD, STEP);
            }
            after = outputs(model, TOKENS);
            assertTrue(
                    model.step(batch(1), CheckedLoss.NEGATIVE_LOG_LIKELIHOOD, STEP).loss()
                            < first - 0.05);
        }
        try (TrainableModel model = engine.loadTrainable(adapter, PLAIN)) {
            for (int i = 0; i < 6; i++) {
                model.step(batch(1), CheckedLoss.NEGATIVE_LOG_LIKELIHOOD, STEP);
            }
            model.save(saved);
        }
        LoraAdapter written = ModelDirectory.open(saved).adapter().orElseThrow();
        assertEquals(ModelDirectory.open(adapter).adapter().get().weights(), written.weights());
        assertEquals(List.of(0), written.config().layers());
        String json = Files.readString(saved.resolve("adapter_config.json"));
        assertTrue(json.contains("layers_to_transform"), json);
        try (LanguageModel loaded = engine.load(saved)) {
            assertArrayEquals(after, outputs(loaded, TOKENS), 0.0);
        }
    }

    @Test
    void aScoreHeadIsAddedToAnAdapterOfSomeLayers() {
        ModelDirectory base = LoraModels.base(dir);
        Path adapter =
                LoraModels.some(dir.resolve("last"), base, name -> name.contains(".layers.1."));
        ModelDirectory judge =
                ModelInitializer.addScoreHead(adapter, dir.resolve("judge"), 3, false);
        try (TrainableModel model = engine.loadTrainable(judge.path(), PLAIN)) {
            double before = outputs(model, EVERYTHING)[0];
            model.step(batch(1), EVERYTHING, STEP);
            assertNotEquals(before, outputs(model, EVERYTHING)[0]);
        }
    }

    @Test
    void anAdapterOfOtherMapsInEachLayerIsUsedAndNotTrained() {
        ModelDirectory base = LoraModels.base(dir);
        Path adapter =
                LoraModels.some(
                        dir.resolve("mixed"),
                        base,
                        name -> name.contains("layers.0.self_attn") || name.contains("1.mlp"));
        try (LanguageModel used = engine.load(adapter);
                LanguageModel plain = engine.load(base.path())) {
            assertTrue(distance(outputs(used, TOKENS), outputs(plain, TOKENS)) > 1e-3);
        }
        DjlEngineException e =
                assertThrows(DjlEngineException.class, () -> engine.loadTrainable(adapter, PLAIN));
        assertTrue(e.getMessage().contains("the same maps in each layer"), e.getMessage());
    }

    @Test
    void aRankStabilisedScaleDividesByTheRootOfTheRank() {
        ModelDirectory base = LoraModels.base(dir);
        LoraConfig stabilised = new LoraConfig(4, 6, LoraModels.ALL, 0, true);
        LoraConfig same = new LoraConfig(4, 12, LoraModels.ALL, 0, false);
        LoraConfig usual = new LoraConfig(4, 6, LoraModels.ALL, 0, false);
        double[] expected = trained(base, "same", same);
        assertArrayEquals(expected, trained(base, "stabilised", stabilised), 0.0);
        assertTrue(distance(expected, trained(base, "usual", usual)) > 1e-3);
    }

    /** Outputs after a step, as loaded from what it saved. */
    private double[] trained(ModelDirectory base, String name, LoraConfig lora) {
        Path adapter = LoraModels.adapter(dir.resolve(name), base, lora, true, 2);
        Path saved = dir.resolve(name + " saved");
        double[] outputs;
        try (TrainableModel model = engine.loadTrainable(adapter, PLAIN)) {
            model.step(batch(1), EVERYTHING, STEP);
            model.save(saved);
            outputs = outputs(model, EVERYTHING);
        }
        try (LanguageModel loaded = engine.load(saved)) {
            assertArrayEquals(outputs, outputs(loaded, EVERYTHING), 0.0);
        }
        return outputs;
    }

    private static UpdateOptions seeded(long seed) {
        return new UpdateOptions(1e-2, Double.POSITIVE_INFINITY, 1 << 20, RandomSource.of(seed));
    }

    @Test
    void dropoutDrawsFromTheSourceOfTheUpdateAndFromNothingElse() {
        ModelDirectory base = LoraModels.base(dir);
        Path adapter =
                LoraModels.adapter(
                        dir.resolve("a"), base, LoraModels.lora(0.4, LoraModels.ALL), true, 2);
        double[] alone = losses(adapter, 5, () -> {});
        assertNotEquals(alone[0], losses(adapter, 6, () -> {})[0], "another seed");
        // Another training of the process, and whoever sets the process's seed.
        try (TrainableModel other = engine.loadTrainable(adapter, PLAIN)) {
            double[] beside =
                    losses(
                            adapter,
                            5,
                            () -> {
                                other.step(batch(3), EVERYTHING, seeded(9));
                                Engine.getEngine("PyTorch").setRandomSeed(3);
                            });
            assertArrayEquals(alone, beside, 0.0);
        }
    }

    private double[] losses(Path adapter, long seed, Runnable beforeEach) {
        try (TrainableModel model = engine.loadTrainable(adapter, PLAIN)) {
            return IntStream.range(0, 3)
                    .mapToDouble(
                            i -> {
                                beforeEach.run();
                                return model.step(batch(i), EVERYTHING, seeded(seed)).loss();
                            })
                    .toArray();
        }
    }

    @Test
    void dropoutLeavesTheRandomNumbersOfTheProcessAlone() {
        ModelDirectory base = LoraModels.base(dir);
        Path adapter =
                LoraModels.adapter(
                        dir.resolve("a"), base, LoraModels.lora(0.4, LoraModels.ALL), true, 2);
        try (TrainableModel model = engine.loadTrainable(adapter, PLAIN)) {
            float[] expected = numbersOfTheProcess(() -> {});
            assertArrayEquals(
                    expected,
                    numbersOfTheProcess(() -> model.step(batch(1), EVERYTHING, seeded(1))));
        }
    }

    private static float[] numbersOfTheProcess(Runnable between) {
        Engine.getEngine("PyTorch").setRandomSeed(11);
        between.run();
        try (NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch")) {
            return manager.randomUniform(0, 1, new Shape(4)).toFloatArray();
        }
    }
}
