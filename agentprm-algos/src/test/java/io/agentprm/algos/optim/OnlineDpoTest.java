package io.agentprm.algos.optim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.policy.Wiring;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainablePolicy;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.optim.OptimizationRequest;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.run.CancelledException;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.SampledTokens;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.testkit.RecordingContext;
import io.agentprm.testkit.ScriptedPolicy;
import io.agentprm.testkit.ScriptedRewardModel;
import io.agentprm.testkit.TabularModel;
import io.agentprm.testkit.TestkitException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnlineDpoTest {
    private final ToySetup toy = ToySetup.house();
    private final List<Trajectory> states = toy.rollouts(ScriptedPolicy.random(), 20, 1);
    private final ScriptedRewardModel likesLeft =
            ScriptedRewardModel.of(
                    (state, decision) -> decision.action().text().equals("left") ? 1 : 0);

    static OnlineDpoConfig config(int steps, int prompts, OnlineDpoConfig.Loss loss) {
        return OnlineDpoConfig.builder()
                .steps(steps)
                .promptsPerStep(prompts)
                .promptsPerTrajectory(3)
                .temperature(1.0)
                .loss(loss)
                .beta(0.3)
                .lengthNormalisedBeta(1.0)
                .innerPasses(2)
                .learningRate(0.1)
                .maxGradientNorm(10)
                .microBatchTokens(40)
                .build();
    }

    private OptimizationReport train(
            OnlineDpoConfig config, TabularModel model, RewardModel reward, RunContext context) {
        return new OnlineDpoProvider()
                .create(config, Wiring.none(), context)
                .optimize(
                        OptimizationRequest.of(toy.policy("pi", model), states, context)
                                .with(reward));
    }

    @Test
    void theFirstLossIsThatOfEqualPoliciesAndTheDivergenceGrows(@TempDir Path directory) {
        for (OnlineDpoConfig.Loss loss : OnlineDpoConfig.Loss.values()) {
            RecordingContext context = RecordingContext.of(1, directory);
            train(config(20, 16, loss), toy.model(), likesLeft, context);
            double start = loss == OnlineDpoConfig.Loss.IPO ? 1 / 0.36 : Math.log(2);
            assertEquals(start, context.series("dpo.loss").get(0), 1e-12);
            assertEquals(0, context.series("dpo.kl.k1").get(0), 1e-12);
            assertEquals(0, context.series("dpo.kl.k3").get(0), 1e-12);
            assertTrue(context.last("dpo.kl.k3") > 0.01, loss::toString);
            assertTrue(context.last("dpo.score") > context.series("dpo.score").get(0));
            assertTrue(context.last("dpo.margin") > 0);
        }
    }

    @Test
    void theReferenceIsTheStartAndNeverChanges() {
        TabularModel model = toy.model();
        long start = model.snapshot().weightsHash();
        List<TabularModel> references = new ArrayList<>();
        TrainableModel watched =
                watching(
                        TrainableModel.class,
                        model,
                        (method, result) -> {
                            if (method.equals("snapshot")) {
                                references.add((TabularModel) result);
                            }
                            return result;
                        });
        TrainablePolicy policy =
                watching(
                        TrainablePolicy.class,
                        toy.policy("pi", model),
                        (method, result) -> method.equals("model") ? watched : result);
        RunContext context = RunContext.ofSeed(1);
        new OnlineDpoProvider()
                .create(config(5, 16, OnlineDpoConfig.Loss.SIGMOID), Wiring.none(), context)
                .optimize(OptimizationRequest.of(policy, states, context).with(likesLeft));
        assertEquals(1, references.size());
        assertEquals(start, references.get(0).weightsHash());
        assertTrue(start != model.weightsHash());
        assertThrows(
                TestkitException.class,
                () -> references.get(0).generate(List.of()),
                "the reference must be closed at the end");
    }

    /** The same object with its results passed through a function of method name and result. */
    private static <T> T watching(
            Class<T> type, T target, BiFunction<String, Object, Object> results) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) ->
                                results.apply(method.getName(), method.invoke(target, arguments))));
    }

    @Test
    void equalScoresAndEqualTextsAreDroppedAndCounted(@TempDir Path directory) {
        RecordingContext context = RecordingContext.of(1, directory);
        TabularModel model = toy.model();
        long hash = model.weightsHash();
        OptimizationReport report =
                train(
                        config(4, 32, OnlineDpoConfig.Loss.SIGMOID),
                        model,
                        ScriptedRewardModel.of((state, decision) -> 0.7),
                        context);
        assertEquals(0, context.last("dpo.pairs-kept"));
        assertTrue(context.last("dpo.pairs-tied") > 0.3);
        assertTrue(context.last("dpo.pairs-identical") > 0.1);
        assertEquals(
                1, context.last("dpo.pairs-tied") + context.last("dpo.pairs-identical"), 1e-12);
        assertEquals(4, report.summary().get("dpo.empty-batches"));
        assertEquals(hash, model.weightsHash());
    }

    @Test
    void scoresThatAreNotFiniteMakeNoPairs(@TempDir Path directory) {
        RecordingContext context = RecordingContext.of(1, directory);
        train(
                config(1, 32, OnlineDpoConfig.Loss.SIGMOID),
                toy.model(),
                ScriptedRewardModel.notANumber(),
                context);
        assertEquals(0, context.last("dpo.pairs-kept"));
        assertTrue(context.last("dpo.pairs-not-finite") > 0.3);
    }

    @Test
    void everyDistinctReplyIsScoredOnce(@TempDir Path directory) {
        ScriptedRewardModel reward = ScriptedRewardModel.of((state, decision) -> 0);
        RecordingContext context = RecordingContext.of(1, directory);
        train(config(1, 40, OnlineDpoConfig.Loss.SIGMOID), toy.model(), reward, context);
        double identical = 40 * context.last("dpo.pairs-identical");
        assertEquals(80 - identical, reward.decisionsScored());
    }

    @Test
    void aReplyThatDoesNotStopRanksBelowEverythingScored() {
        Reply stopped = reply("a", true, -3);
        Reply endless = reply("a", false, -4);
        assertEquals(
                new PairChoice(PairChoice.Kind.PAIR, 0, 1),
                PairChoice.of(List.of(stopped, endless), 1e-6));
        assertTrue(!stopped.sameText(endless));
        TabularModel chatter = toy.model();
        // After "left" the model goes on for ever more often than not.
        for (String place : List.of("hall", "kitchen", "cellar")) {
            for (String task : List.of("fetch", "search")) {
                int[] prefix = toy.tokens(task, place, "left");
                double[] logits = chatter.logits(prefix);
                logits[toy.mdp().tokenizer().id("left")] = 2;
                chatter.setLogits(prefix, logits);
            }
        }
        RecordingContext context = RecordingContext.of(1, Path.of("."));
        ReplySampler sampler =
                new ReplySampler(
                        toy.policy("pi", chatter).with(Sampling.temperature(1, 2)),
                        likesLeft,
                        states,
                        config(1, 40, OnlineDpoConfig.Loss.SIGMOID),
                        context.random());
        List<Prompt> prompts = new ArrayList<>();
        for (int i = 0; i < states.size(); i++) {
            prompts.add(new Prompt(i, 0));
        }
        List<Reply> all = sampler.sample(prompts, 0).stream().flatMap(List::stream).toList();
        double lowest =
                all.stream().filter(Reply::stopped).mapToDouble(Reply::score).min().orElseThrow();
        List<Reply> notStopped = all.stream().filter(r -> !r.stopped()).toList();
        assertTrue(notStopped.size() > 3);
        notStopped.forEach(r -> assertEquals(lowest - 1, r.score()));
    }

    private static Reply reply(String text, boolean stopped, double score) {
        return new Reply(
                Decision.of(text),
                SampledTokens.of(new int[] {3}, new double[] {-1}, 1),
                1,
                stopped,
                score);
    }

    @Test
    void theMarginMayBeMeasuredInProbabilities(@TempDir Path directory) {
        ScriptedRewardModel sure =
                ScriptedRewardModel.of(
                        (state, decision) -> decision.action().text().equals("left") ? 9 : 7);
        OnlineDpoConfig raw = config(1, 60, OnlineDpoConfig.Loss.SIGMOID);
        OnlineDpoConfig probability =
                OnlineDpoConfig.builder()
                        .steps(1)
                        .promptsPerStep(60)
                        .promptsPerTrajectory(3)
                        .temperature(1.0)
                        .beta(0.3)
                        .innerPasses(2)
                        .minMargin(0.01)
                        .marginScale(OnlineDpoConfig.MarginScale.PROBABILITY)
                        .learningRate(0.1)
                        .maxGradientNorm(10)
                        .microBatchTokens(40)
                        .build();
        RecordingContext context = RecordingContext.of(1, directory);
        train(raw, toy.model(), sure, context);
        assertTrue(context.last("dpo.pairs-kept") > 0.3);
        train(probability, toy.model(), sure, context);
        assertEquals(0, context.last("dpo.pairs-kept"));
        RewardModel unbounded =
                ScriptedRewardModel.of(ScoreScale.UNBOUNDED, (state, decision) -> 0);
        assertThrows(
                AlgorithmException.class,
                () -> train(probability, toy.model(), unbounded, RunContext.ofSeed(1)));
    }

    @Test
    void bestOfManyAgainstWorst() {
        List<Reply> replies =
                List.of(reply("a", true, 0.2), reply("b", true, 0.9), reply("c", true, -1));
        assertEquals(new PairChoice(PairChoice.Kind.PAIR, 1, 2), PairChoice.of(replies, 1e-6));
    }

    @Test
    void lengthNormalisationNeedsItsOwnBeta() {
        IllegalArgumentException error =
                assertThrows(
                        IllegalArgumentException.class,
                        () ->
                                OnlineDpoConfig.builder()
                                        .steps(1)
                                        .promptsPerStep(1)
                                        .promptsPerTrajectory(0)
                                        .temperature(1)
                                        .loss(OnlineDpoConfig.Loss.LENGTH_NORMALISED)
                                        .beta(0.3)
                                        .innerPasses(1)
                                        .minMargin(0)
                                        .learningRate(1)
                                        .microBatchTokens(1)
                                        .build());
        assertTrue(error.getMessage().contains("length-normalised-beta"), error::getMessage);
    }

    @Test
    void allPromptsOfATrajectoryShareOnePassOverIt() {
        Trajectory longest = states.stream().filter(t -> t.length() == 4).findFirst().orElseThrow();
        ReplyForest forest = new ReplyForest(toy.renderer(), List.of(longest));
        int[] reply = toy.tokens("open", ".");
        for (int t = 0; t < 3; t++) {
            forest.add(new Prompt(0, t), java.util.Arrays.copyOfRange(reply, 1, 3));
        }
        List<TokenTree> trees = forest.trees();
        assertEquals(1, trees.size());
        int[] state2 = toy.renderer().state(longest.states().get(2));
        assertArrayEquals(state2, trees.get(0).segment(0).tokens());
        assertEquals(state2.length, trees.get(0).fork(3));
        assertEquals(toy.renderer().state(longest.states().get(0)).length, trees.get(0).fork(1));
        assertEquals(state2.length + 6, trees.get(0).length());
    }

    @Test
    void promptsAreDrawnByTheSeedAndRespectTheirLimits() {
        OnlineDpoConfig config = config(1, 16, OnlineDpoConfig.Loss.SIGMOID);
        RunContext context = RunContext.ofSeed(4);
        PromptStream one = new PromptStream(states, config, context.random());
        PromptStream two = new PromptStream(states, config, context.random());
        for (int i = 0; i < 20; i++) {
            List<Prompt> batch = one.next();
            assertEquals(batch, two.next());
            assertTrue(batch.size() == 16 || i > 1 && !batch.isEmpty());
            assertEquals(batch.size(), batch.stream().distinct().count());
            for (Prompt prompt : batch) {
                assertTrue(prompt.turn() < states.get(prompt.trajectory()).length());
                assertTrue(
                        batch.stream().filter(p -> p.trajectory() == prompt.trajectory()).count()
                                <= 3);
            }
        }
    }

    @Test
    void statesWithoutAChoiceCanBeSkipped() {
        OnlineDpoConfig config =
                OnlineDpoConfig.builder()
                        .steps(1)
                        .promptsPerStep(16)
                        .promptsPerTrajectory(0)
                        .choicesOnly(true)
                        .temperature(1)
                        .beta(1)
                        .innerPasses(1)
                        .minMargin(0)
                        .learningRate(1)
                        .microBatchTokens(1)
                        .build();
        PromptStream stream = new PromptStream(states, config, RunContext.ofSeed(1).random());
        for (Prompt prompt : stream.next()) {
            assertTrue(
                    states.get(prompt.trajectory())
                                    .turns()
                                    .get(prompt.turn())
                                    .observation()
                                    .admissibleActions()
                                    .orElseThrow()
                                    .size()
                            > 1);
        }
        assertThrows(
                AlgorithmException.class,
                () -> new PromptStream(List.of(), config, RunContext.ofSeed(1).random()));
    }

    @Test
    void aCancelledTrainingResumesToTheSamePolicy(@TempDir Path one, @TempDir Path two) {
        OnlineDpoConfig config = config(8, 16, OnlineDpoConfig.Loss.SIGMOID);
        TabularModel straight = toy.model();
        OptimizationReport undisturbed =
                train(config, straight, likesLeft, RecordingContext.of(3, one));
        assertThrows(
                CancelledException.class,
                () ->
                        train(
                                config,
                                toy.model(),
                                likesLeft,
                                RecordingContext.of(3, two).stoppingAtLook(4)));
        TabularModel resumed = toy.model();
        assertEquals(undisturbed, train(config, resumed, likesLeft, RecordingContext.of(3, two)));
        assertEquals(straight.weightsHash(), resumed.weightsHash());
    }

    @Test
    void divergencesDoNotDependOnWhatElseIsInTheBatch() {
        KlEstimates alone = new KlEstimates();
        alone.add(new double[] {-1, -2}, new double[] {-1.5, -2.5}, 1);
        KlEstimates together = new KlEstimates();
        together.add(new double[] {-1, -2}, new double[] {-1.5, -2.5}, 1);
        double[] longer = new double[40];
        together.add(longer, longer, 1);
        List<Double> first = new ArrayList<>();
        alone.report((name, value) -> first.add(value));
        List<Double> second = new ArrayList<>();
        together.report((name, value) -> second.add(value));
        assertEquals(1, first.get(0));
        assertEquals(0.5, second.get(0));
        assertEquals(0.5, first.get(2));
        assertEquals(Math.exp(-1), first.get(4), 1e-12);
    }

    @Test
    void aRewardModelIsNeeded() {
        AlgorithmException error =
                assertThrows(
                        AlgorithmException.class,
                        () ->
                                new OnlineDpoProvider()
                                        .create(
                                                config(1, 1, OnlineDpoConfig.Loss.SIGMOID),
                                                Wiring.none(),
                                                RunContext.ofSeed(1))
                                        .optimize(
                                                OptimizationRequest.of(
                                                        toy.policy("pi", toy.model()),
                                                        states,
                                                        RunContext.ofSeed(1))));
        assertTrue(error.getMessage().contains("reward model"), error::getMessage);
    }
}
