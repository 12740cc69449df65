package io.agentprm.engine.djl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.lm.UpdateReport;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.chat.ChatTemplate;
import io.agentprm.lm.chat.Message;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.testing.TinyModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DjlTrainingTest {
    private static final Channel LOG_PROB = Channel.logProb(1);
    private static final Channel COOL = Channel.logProb(0.7);
    private static final Channel ENTROPY = Channel.entropy(1);
    private static final Losses EVERYTHING =
            Losses.of(Map.of(LOG_PROB, -1.0, COOL, -0.5, ENTROPY, 0.3, Channel.SCORE, 0.7));
    private static final UpdateOptions STEP =
            new UpdateOptions(1e-2, Double.POSITIVE_INFINITY, 1 << 20);

    @TempDir Path dir;
    private Path model;
    private DjlEngine engine;

    @BeforeEach
    void create() {
        model = TinyModels.create(dir, "model", 5);
        engine = TestEngine.open();
    }

    private static int[] tokens(Random random, int length) {
        return random.ints(length, 3, TinyModels.VOCABULARY).toArray();
    }

    private static TokenSegment segment(Random random, int length, boolean first) {
        boolean[] supervised = new boolean[length];
        for (int i = first ? 1 : 0; i < length; i++) {
            supervised[i] = random.nextInt(3) > 0;
        }
        return TokenSegment.of(tokens(random, length), supervised, new int[] {0, length - 1});
    }

    /** A trunk of 9 tokens with branches off its middle and its end. */
    private static TokenTree tree(Random random) {
        return TokenTree.trunk(segment(random, 9, true))
                .withBranch(segment(random, 4, false), 5)
                .withBranch(segment(random, 6, false), 9)
                .withBranch(segment(random, 2, false), 9)
                .withBranch(segment(random, 3, false), 1);
    }

    /** A branch as a row of its own: what it sees, then itself. */
    private static TokenTree flat(TokenTree tree, int s) {
        int fork = tree.fork(s);
        TokenSegment own = tree.segment(s);
        int[] ids = new int[fork + own.length()];
        boolean[] supervised = new boolean[ids.length];
        int[] marks = new int[own.markCount()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = i < fork ? tree.segment(0).token(i) : own.token(i - fork);
            supervised[i] = i >= fork && own.isSupervised(i - fork);
        }
        for (int m = 0; m < marks.length; m++) {
            marks[m] = fork + own.mark(m);
        }
        return TokenTree.trunk(TokenSegment.of(ids, supervised, marks));
    }

    @Test
    void aBranchSeesItsTrunkAndItselfOnly() {
        TokenTree tree = tree(new Random(1));
        TokenTree other = TokenTree.trunk(segment(new Random(2), 30, true));
        try (LanguageModel loaded = engine.load(model)) {
            ModelOutputs packed =
                    loaded.evaluate(List.of(other, tree, tree), EVERYTHING.channels());
            for (int s = 0; s < tree.segments().size(); s++) {
                ModelOutputs alone = loaded.evaluate(List.of(flat(tree, s)), EVERYTHING.channels());
                for (Channel channel : EVERYTHING.channels()) {
                    double[] expected = alone.at(channel, 0, 0);
                    assertArrayEquals(expected, packed.at(channel, 1, s), 2e-5, channel + " " + s);
                    assertArrayEquals(expected, packed.at(channel, 2, s), 2e-5, channel + " " + s);
                }
            }
        }
    }

    @Test
    void accumulationDoesNotChangeTheGradient() {
        Random random = new Random(3);
        List<TrainingRow> batch = new ArrayList<>();
        for (int length : new int[] {17, 4, 29, 11}) {
            batch.add(TrainingRow.of(TokenTree.trunk(segment(random, length, true))));
        }
        batch.set(1, TrainingRow.of(tree(random)));
        Map<String, float[]> whole = gradients(batch, 1 << 20);
        Map<String, float[]> pieces = gradients(batch, 1);
        double largest = 0;
        for (float[] values : whole.values()) {
            largest = Math.max(largest, CheckedModel.norm(values));
        }
        for (String name : whole.keySet()) {
            for (int i = 0; i < whole.get(name).length; i++) {
                assertEquals(whole.get(name)[i], pieces.get(name)[i], 1e-6 * largest, name);
            }
        }
    }

    private Map<String, float[]> gradients(List<TrainingRow> batch, int microBatchTokens) {
        try (Decoder decoder = engine.decoder(ModelDirectory.open(model))) {
            Trainer trainer = new Trainer(decoder, OptimizerOptions.adamW(0));
            trainer.accumulate(batch, EVERYTHING, microBatchTokens, new HashMap<>());
            return CheckedModel.byName(decoder, trainer.optimizer().gradients());
        }
    }

    @Test
    void gradientsOfEveryChannelAgreeWithFiniteDifferences() {
        List<TrainingRow> batch = List.of(TrainingRow.of(tree(new Random(4))));
        for (Channel channel : EVERYTHING.channels()) {
            Losses loss = Losses.of(Map.of(channel, 1.0));
            try (Decoder decoder = engine.decoder(ModelDirectory.open(model))) {
                Trainer trainer = new Trainer(decoder, OptimizerOptions.adamW(0));
                trainer.accumulate(batch, loss, 1 << 20, new HashMap<>());
                Map<String, float[]> slope =
                        CheckedModel.byName(decoder, trainer.optimizer().gradients());
                Map<String, float[]> weights = CheckedModel.byName(decoder, decoder.trained());
                double norm = 0;
                for (float[] g : slope.values()) {
                    norm += Math.pow(CheckedModel.norm(g), 2);
                }
                norm = Math.sqrt(norm);
                double step = 1e-2;
                double up = along(decoder, trainer, batch, loss, weights, slope, step / norm);
                double down = along(decoder, trainer, batch, loss, weights, slope, -step / norm);
                assertEquals(norm, (up - down) / (2 * step), 0.02 * norm, channel.toString());
            }
        }
    }

    private static double along(
            Decoder decoder,
            Trainer trainer,
            List<TrainingRow> batch,
            Losses loss,
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
        return trainer.accumulate(batch, loss, 1 << 20, new HashMap<>());
    }

    private static List<TrainingRow> batch(int seed) {
        return List.of(
                TrainingRow.of(tree(new Random(seed))),
                TrainingRow.of(TokenTree.trunk(segment(new Random(seed + 99), 13, true))));
    }

    @Test
    void aResumedRunEqualsAnUndisturbedOneBitForBit() throws IOException {
        OptimizerOptions options = OptimizerOptions.adamW(0.1);
        Path checkpoint = Files.createDirectory(dir.resolve("checkpoint"));
        Losses scores = Losses.of(Map.of(Channel.SCORE, 1.0));
        double[] undisturbed;
        try (TrainableModel trained = engine.loadTrainable(model, options)) {
            trained.step(batch(1), EVERYTHING, STEP);
            trained.step(batch(2), scores, STEP);
            trained.step(batch(3), scores, STEP);
            trained.step(batch(4), EVERYTHING, STEP);
            undisturbed = outputs(trained);
        }
        try (TrainableModel trained = engine.loadTrainable(model, options)) {
            trained.step(batch(1), EVERYTHING, STEP);
            trained.step(batch(2), scores, STEP);
            trained.saveCheckpoint(checkpoint);
        }
        try (TrainableModel resumed = engine.loadTrainable(model, options)) {
            resumed.restoreCheckpoint(checkpoint);
            resumed.step(batch(3), scores, STEP);
            resumed.step(batch(4), EVERYTHING, STEP);
            assertArrayEquals(undisturbed, outputs(resumed), 0.0);
            assertEquals(4 * (24 + 13) + 24, resumed.tokensComputed());
        }
    }

    private static double[] outputs(LanguageModel model) {
        TokenTree tree = tree(new Random(77));
        ModelOutputs outputs = model.evaluate(List.of(tree), EVERYTHING.channels());
        List<Double> all = new ArrayList<>();
        for (Channel channel : List.of(LOG_PROB, COOL, ENTROPY, Channel.SCORE)) {
            for (int s = 0; s < tree.segments().size(); s++) {
                for (double value : outputs.at(channel, 0, s)) {
                    all.add(value);
                }
            }
        }
        return all.stream().mapToDouble(x -> x).toArray();
    }

    @Test
    void aSnapshotSharesNothingWithTheModelThatGoesOn() {
        try (TrainableModel trained = engine.loadTrainable(model, OptimizerOptions.adamW(0));
                LanguageModel frozen = trained.snapshot()) {
            double[] before = outputs(frozen);
            assertArrayEquals(before, outputs(trained), 0.0);
            trained.step(batch(1), EVERYTHING, STEP);
            assertArrayEquals(before, outputs(frozen), 0.0);
            assertTrue(Math.abs(before[0] - outputs(trained)[0]) > 1e-4);
        }
    }

    @Test
    void aSavedModelIsLoadedWithTheSameOutputs() {
        Path saved = dir.resolve("saved");
        double[] before;
        try (TrainableModel trained = engine.loadTrainable(model, OptimizerOptions.adamW(0))) {
            trained.step(batch(1), EVERYTHING, STEP);
            before = outputs(trained);
            trained.save(saved);
        }
        try (LanguageModel loaded = engine.load(saved)) {
            assertArrayEquals(before, outputs(loaded), 0.0);
            assertEquals("saved", loaded.info().name());
            assertTrue(loaded.info().hasScoreHead());
        }
    }

    @Test
    void aTrainedModelKeepsTheChatTemplateAndStopsWhereItStopped() throws IOException {
        Files.writeString(model.resolve("chat_template.jinja"), "{{ messages[0].content }}!");
        Files.writeString(model.resolve("tokenizer_config.json"), "{\"eos_token\": \"<|end|>\"}");
        Files.writeString(model.resolve("generation_config.json"), "{\"eos_token_id\": [7, 2]}");
        Path saved = dir.resolve("saved");
        try (TrainableModel trained = engine.loadTrainable(model, OptimizerOptions.adamW(0))) {
            trained.step(batch(1), EVERYTHING, STEP);
            trained.save(saved);
        }
        assertEquals(
                "hello!", ChatTemplate.read(saved).render(List.of(Message.user("hello")), true));
        for (String name : List.of("tokenizer_config.json", "tokenizer.json")) {
            assertEquals(-1, Files.mismatch(model.resolve(name), saved.resolve(name)), name);
        }
        assertEquals(List.of(7, 2), ModelDirectory.open(saved).stopTokenIds());
    }

    @Test
    void aHeadThatNoLossReadsIsNeitherMovedNorDecayed() {
        Losses tokensOnly = Losses.of(Map.of(LOG_PROB, -1.0));
        Set<Channel> score = Set.of(Channel.SCORE);
        OptimizerOptions options = OptimizerOptions.adamW(0.5);
        try (Decoder decoder = engine.decoder(ModelDirectory.open(model))) {
            String name = "score.weight";
            float[] before = CheckedModel.byName(decoder, decoder.trained()).get(name);
            Trainer trainer = new Trainer(decoder, options);
            trainer.step(batch(1), tokensOnly, STEP);
            assertArrayEquals(before, CheckedModel.byName(decoder, decoder.trained()).get(name));
            trainer.step(batch(1), new Losses(Map.of(Channel.SCORE, 1.0), 0), STEP);
            float[] after = CheckedModel.byName(decoder, decoder.trained()).get(name);
            assertFalse(java.util.Arrays.equals(before, after), score.toString());
        }
    }

    @Test
    void theGradientIsClippedByItsGlobalNorm() {
        UpdateOptions clipped = new UpdateOptions(1e-2, 1e-3, 1 << 20);
        try (TrainableModel trained = engine.loadTrainable(model, OptimizerOptions.adamW(0))) {
            UpdateReport report = trained.step(batch(1), EVERYTHING, clipped);
            assertTrue(report.gradientNorm() > 1e-2);
            assertTrue(report.applied());
            assertEquals(2, report.metrics().get("rows"));
        }
    }

    @Test
    void aStepThatIsNotFiniteChangesNothingAndTooManyAreAnError() {
        Losses poisoned = new Losses(EVERYTHING.weights(), Double.NaN);
        try (TrainableModel trained = engine.loadTrainable(model, OptimizerOptions.adamW(0))) {
            double[] before = outputs(trained);
            for (int i = 0; i < 4; i++) {
                assertFalse(trained.step(batch(1), poisoned, STEP).applied());
            }
            assertArrayEquals(before, outputs(trained), 0.0);
            assertThrows(DjlEngineException.class, () -> trained.step(batch(1), poisoned, STEP));
            assertTrue(trained.step(batch(1), EVERYTHING, STEP).applied());
        }
    }

    @Test
    void whatDoesNotFitIsRefusedWithTheReason() {
        TokenTree long1 = TokenTree.trunk(TokenSegment.context(new int[600]));
        TokenTree strange = TokenTree.trunk(TokenSegment.context(5, 1000));
        try (LanguageModel loaded = engine.load(model)) {
            Set<Channel> channels = Set.of(LOG_PROB);
            assertTrue(
                    assertThrows(
                                    LanguageModelException.class,
                                    () -> loaded.evaluate(List.of(long1), channels))
                            .getMessage()
                            .contains("512"));
            assertTrue(
                    assertThrows(
                                    LanguageModelException.class,
                                    () -> loaded.evaluate(List.of(strange), channels))
                            .getMessage()
                            .contains("1000"));
        }
    }
}
