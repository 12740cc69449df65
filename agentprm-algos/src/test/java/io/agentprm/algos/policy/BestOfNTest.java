package io.agentprm.algos.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import io.agentprm.api.plugin.PolicyProvider;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Candidate;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import io.agentprm.testkit.RecordingContext;
import io.agentprm.testkit.ScriptedRewardModel;
import io.agentprm.testkit.TabularModel;
import io.agentprm.testkit.TabularPolicy;
import io.agentprm.testkit.ToyRenderer;
import io.agentprm.testkit.WordTokenizer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class BestOfNTest {
    private static final State STATE =
            State.initial(
                    Task.of("t", "train", "c"),
                    EpisodeStart.of(
                            "go",
                            Observation.text("here")
                                    .withAdmissibleActions(List.of("a", "b", "c", "d"))));

    private final RecordingContext context = RecordingContext.of(1, Path.of("."));

    /** A policy that proposes these actions, sample by sample. */
    private static Policy proposing(Decision... decisions) {
        return new Policy() {
            @Override
            public String id() {
                return "fixed";
            }

            @Override
            public List<List<Decision>> decide(List<DecisionRequest> requests) {
                return requests.stream()
                        .map(r -> List.of(decisions).subList(0, r.samples()))
                        .toList();
            }
        };
    }

    private static Policy proposing(String... actions) {
        return proposing(
                java.util.Arrays.stream(actions).map(Decision::of).toArray(Decision[]::new));
    }

    private static ScriptedRewardModel scores(Map<String, Double> scores) {
        return ScriptedRewardModel.of((state, decision) -> scores.get(decision.action().text()));
    }

    private static DecisionRequest request() {
        return DecisionRequest.of(STATE, new EpisodeId("t", 0), 1, RandomSource.of(5));
    }

    private Decision best(Policy policy, RewardModel rewardModel, int n) {
        return new BestOfNProvider()
                .create(new ChoiceConfig(n, 0.7), Wiring.of(policy, rewardModel), context)
                .decide(List.of(request()))
                .get(0)
                .get(0);
    }

    @Test
    void theHighestScoreWinsAndEveryCandidateIsLogged() {
        Decision chosen =
                best(
                        proposing("a", "b", "a", "c"),
                        scores(Map.of("a", 0.1, "b", 0.9, "c", 0.3)),
                        4);
        assertEquals("b", chosen.action().text());
        assertEquals(
                List.of(
                        new Candidate("a", 2, OptionalDouble.of(0.1)),
                        new Candidate("b", 1, OptionalDouble.of(0.9)),
                        new Candidate("c", 1, OptionalDouble.of(0.3))),
                chosen.candidates());
        assertEquals(3, context.last("best-of-n.distinct-candidates"));
    }

    @Test
    void equalTextsAreScoredOnceAndTiesGoToTheMostFrequent() {
        ScriptedRewardModel rewardModel = scores(Map.of("a", 0.5, "b", 0.5));
        assertEquals("a", best(proposing("b", "a", "a"), rewardModel, 3).action().text());
        assertEquals(2, rewardModel.decisionsScored());
        assertEquals("b", best(proposing("b", "a"), rewardModel, 2).action().text());
    }

    @Test
    void scoresThatAreNotFiniteNeverWin() {
        ScriptedRewardModel rewardModel =
                scores(Map.of("a", 0.2, "b", Double.NaN, "c", 0.9, "d", Double.POSITIVE_INFINITY));
        Decision chosen = best(proposing("a", "b", "c", "d"), rewardModel, 4);
        assertEquals("c", chosen.action().text());
        assertEquals(OptionalDouble.empty(), chosen.candidates().get(1).score());
        assertEquals(2, context.last("best-of-n.non-finite-scores"));
    }

    @Test
    void theFirstCandidateWinsIfNoScoreIsFinite() {
        Decision chosen = best(proposing("c", "a", "a"), ScriptedRewardModel.notANumber(), 3);
        assertEquals("c", chosen.action().text());
        assertEquals(2, context.last("best-of-n.non-finite-scores"));
    }

    @Test
    void oneCandidateIsTheBarePolicyWithoutARewardModel() {
        Policy bare = proposing("b");
        assertSame(
                bare,
                new BestOfNProvider().create(new ChoiceConfig(1, 0.7), Wiring.of(bare), context));
    }

    @Test
    void unparsedAndInadmissibleCandidatesCompeteOnlyWhereThereIsNothingElse() {
        Decision unparsed =
                Decision.builder(Action.text("")).text("well").parseFailure("no action").build();
        ScriptedRewardModel rewardModel = scores(Map.of("a", -5.0, "fly", 9.0, "", 99.0));
        assertEquals(
                "a",
                best(proposing(unparsed, Decision.of("fly"), Decision.of("a")), rewardModel, 3)
                        .action()
                        .text());
        assertEquals(1, rewardModel.decisionsScored());
        assertEquals(
                "fly",
                best(proposing(unparsed, Decision.of("fly")), rewardModel, 2).action().text());
        assertEquals("", best(proposing(unparsed, unparsed), rewardModel, 2).action().text());
    }

    @Test
    void controlsNeedNoRewardModel() {
        ChoiceConfig config = new ChoiceConfig(4, 0.7);
        Policy policy = proposing("a", "b", "b", "c");
        Policy majority = new MajorityVoteProvider().create(config, Wiring.of(policy), context);
        assertEquals("b", majority.decide(List.of(request())).get(0).get(0).action().text());
        Policy random = new RandomChoiceProvider().create(config, Wiring.of(policy), context);
        List<Decision> many = random.decide(List.of(request().withSamples(4000))).get(0);
        assertEquals(
                0.5, many.stream().filter(d -> d.action().text().equals("b")).count() / 4e3, 0.03);
    }

    @Test
    void candidatesDifferFromSampleToSampleAndARerunRepeatsThem() {
        WordTokenizer tokenizer = WordTokenizer.of(List.of("go", "here", "a", "b", "c", "d"));
        TabularModel model = TabularModel.sgd(tokenizer);
        int[] prompt = {1, tokenizer.id("go"), tokenizer.id("here")};
        model.setLogits(prompt, -99, -99, -99, -99, -99, 0, 0, 0, 0);
        for (String action : List.of("a", "b", "c", "d")) {
            int[] prefix = java.util.Arrays.copyOf(prompt, 4);
            prefix[3] = tokenizer.id(action);
            double[] logits = new double[tokenizer.vocabularySize()];
            logits[tokenizer.endOfTurn()] = 99;
            model.setLogits(prefix, logits);
        }
        TabularPolicy policy =
                TabularPolicy.of("pi", model, ToyRenderer.of(tokenizer)).with(Sampling.greedy(4));
        ScriptedRewardModel flat = ScriptedRewardModel.of((state, decision) -> 0);
        Policy bestOfN =
                new BestOfNProvider()
                        .create(new ChoiceConfig(16, 1), Wiring.of(policy, flat), context);
        List<Candidate> first = bestOfN.decide(List.of(request())).get(0).get(0).candidates();
        assertTrue(first.size() >= 2, first::toString);
        assertEquals(first, bestOfN.decide(List.of(request())).get(0).get(0).candidates());
    }

    @Test
    void badConfigurationsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new ChoiceConfig(0, 0.7));
        assertThrows(IllegalArgumentException.class, () -> new ChoiceConfig(4, Double.NaN));
    }

    @Test
    void providersAreFoundByServiceLoading() {
        List<String> names = new ArrayList<>();
        for (PolicyProvider<?> provider : ServiceLoader.load(PolicyProvider.class)) {
            names.add(provider.name());
        }
        assertTrue(
                names.containsAll(List.of("best-of-n", "majority-vote", "random-choice")),
                names::toString);
    }
}
