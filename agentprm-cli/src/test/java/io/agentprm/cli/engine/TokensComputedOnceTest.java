package io.agentprm.cli.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.algos.policy.BestOfNProvider;
import io.agentprm.algos.policy.ChoiceConfig;
import io.agentprm.api.env.Environment;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.LanguagePolicy;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.plugin.Components;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.rollout.RolloutPlan;
import io.agentprm.api.rollout.Rollouts;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.rollout.RolloutConfig;
import io.agentprm.core.rollout.RolloutRunner;
import io.agentprm.engine.djl.DjlConfig;
import io.agentprm.engine.djl.DjlEngine;
import io.agentprm.engine.onnx.OnnxConfig;
import io.agentprm.engine.onnx.OnnxEngine;
import io.agentprm.env.alfworld.suite.AlfworldConfig;
import io.agentprm.env.alfworld.suite.AlfworldProvider;
import io.agentprm.lm.agent.TransformerConfig;
import io.agentprm.lm.agent.TransformerModels;
import io.agentprm.lm.checkpoint.Initialization;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelInitializer;
import io.agentprm.lm.tokenizer.WordTrainer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Policies and reward models compute each token of an episode once, so that what they compute grows
 * as the episode does. Candidates that are not chosen count once too.
 */
class TokensComputedOnceTest {
    private static final int TURNS = 15;

    @TempDir private Path directory;
    private Path checkpoint;

    @BeforeEach
    void createModel() {
        Path tokenizer = directory.resolve("tokenizer.json");
        WordTrainer.standard().train(List.of()).write(tokenizer);
        checkpoint = directory.resolve("model");
        ModelConfig shape =
                ModelConfig.builder()
                        .vocabSize(259)
                        .hiddenSize(32)
                        .intermediateSize(48)
                        .layers(2)
                        .heads(4)
                        .previousTokenEmbedding(true)
                        .scoreHead(true)
                        .contextLength(4096)
                        .bosTokenId(1)
                        .padTokenId(0)
                        .eosTokenIds(List.of(2))
                        .build();
        ModelInitializer.create(
                checkpoint, shape, Initialization.FAN_IN, 5, Optional.of(tokenizer));
    }

    /** Beginnings of sequences that have been computed. */
    private static final class Beginnings {
        private final Map<Integer, Beginnings> longer = new HashMap<>();

        /** Number of tokens after beginnings that were not there yet. */
        int add(int[]... parts) {
            int added = 0;
            Beginnings at = this;
            for (int token : Arrays.stream(parts).flatMapToInt(Arrays::stream).toArray()) {
                added += at.longer.containsKey(token) ? 0 : 1;
                at = at.longer.computeIfAbsent(token, t -> new Beginnings());
            }
            return added;
        }
    }

    /** What a model has to compute at least, by what it was asked for. */
    private static final class Ledger {
        private final Map<EpisodeId, Beginnings> episodes = new HashMap<>();
        private long tokens;
        private int shortest = Integer.MAX_VALUE;
        private int longest;

        private Beginnings of(EpisodeId episode) {
            return episodes.computeIfAbsent(episode, e -> new Beginnings());
        }

        private void prompt(EpisodeId episode, int[] prompt) {
            tokens += of(episode).add(prompt);
            shortest = Math.min(shortest, prompt.length);
            longest = Math.max(longest, prompt.length);
        }

        /** The last token is drawn and not computed; replies share what they begin with. */
        void reply(EpisodeId episode, int[] prompt, int[] reply) {
            tokens += of(episode).add(prompt, Arrays.copyOf(reply, reply.length - 1));
        }

        /** Each of several is computed on its own. */
        void scored(EpisodeId episode, int[] prompt, int[] reply) {
            tokens += reply.length;
            of(episode).add(prompt, reply);
        }
    }

    private record WatchedPolicy(LanguagePolicy policy, Ledger ledger) implements Policy {
        @Override
        public String id() {
            return policy.id();
        }

        @Override
        public List<List<Decision>> decide(List<DecisionRequest> requests) {
            List<List<Decision>> all = policy.decide(requests);
            for (int i = 0; i < all.size(); i++) {
                EpisodeId episode = requests.get(i).episode();
                int[] prompt = policy.renderer().state(requests.get(i).state());
                ledger.prompt(episode, prompt);
                for (Decision decision : all.get(i)) {
                    ledger.reply(episode, prompt, decision.tokens().orElseThrow().ids());
                }
            }
            return all;
        }

        @Override
        public void release(EpisodeId episode) {
            policy.release(episode);
        }
    }

    private record WatchedReward(RewardModel reward, StateRenderer renderer, Ledger ledger)
            implements RewardModel {
        @Override
        public String id() {
            return reward.id();
        }

        @Override
        public ScoreScale scale() {
            return reward.scale();
        }

        @Override
        public List<double[]> score(List<ScoringRequest> requests) {
            for (ScoringRequest request : requests) {
                int[] prompt = renderer.state(request.state());
                ledger.prompt(request.episode(), prompt);
                for (Decision decision : request.decisions()) {
                    ledger.scored(request.episode(), prompt, renderer.reply(decision));
                }
            }
            return reward.score(requests);
        }

        @Override
        public void release(EpisodeId episode) {
            reward.release(episode);
        }
    }

    private record Parts(Policy policy, RewardModel rewardModel) implements Components {
        @Override
        public Environment environment() {
            throw new UnsupportedOperationException();
        }

        @Override
        public InferenceEngine engine() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Rollouts rollouts() {
            throw new UnsupportedOperationException();
        }
    }

    private static InferenceEngine open(String engine) {
        return engine.equals("onnx")
                ? OnnxEngine.open(OnnxConfig.defaults().withThreads(1))
                : DjlEngine.open(DjlConfig.defaults().withThreads(1));
    }

    @ParameterizedTest
    @CsvSource({
        "djl, free, 1",
        "djl, free, 6",
        "djl, constrained, 1",
        "djl, constrained, 6",
        "onnx, free, 1",
        "onnx, free, 6",
        "onnx, constrained, 1",
        "onnx, constrained, 6"
    })
    void policyAndRewardModelComputeEachTokenOfAnEpisodeOnce(
            String engineName, String decoding, int candidates) {
        String settings =
                "{type: transformer, decoding: %s, max-reply-tokens: 30}".formatted(decoding);
        TransformerModels models =
                new TransformerModels(
                        ComponentConfig.parse(settings, "test").bind(TransformerConfig.class));
        AlfworldConfig games =
                ComponentConfig.parse(
                                "{type: alfworld, step-limit: "
                                        + TURNS
                                        + ", generator: {size: small, train-games: 4, seen-games:"
                                        + " 0, unseen-games: 0}}",
                                "test")
                        .bind(AlfworldConfig.class);
        RunContext context = RunContext.ofSeed(1);
        try (Environment environment = new AlfworldProvider().create(games, context);
                InferenceEngine engine = open(engineName);
                LanguageModel model = engine.load(checkpoint);
                LanguageModel judge = engine.load(checkpoint)) {
            Ledger asked = new Ledger();
            Ledger scored = new Ledger();
            LanguagePolicy policy = models.policy("policy", model);
            RewardModel reward = models.rewardModel("reward", judge);
            Policy best =
                    new BestOfNProvider()
                            .create(
                                    new ChoiceConfig(candidates, 1),
                                    new Parts(
                                            new WatchedPolicy(policy, asked),
                                            new WatchedReward(
                                                    reward, models.renderer(judge), scored)),
                                    context);
            List<Trajectory> played =
                    new RolloutRunner(
                                    environment,
                                    new RolloutConfig(3, 1, Duration.ofSeconds(60)),
                                    context)
                            .collect(
                                    best,
                                    RolloutPlan.of(
                                            environment.tasks("train"), 1, RandomSource.of(7)));
            assertEquals(asked.tokens, model.tokensComputed());
            assertEquals(candidates > 1 ? scored.tokens : 0, judge.tokensComputed());
            assertTrue(
                    played.stream().anyMatch(t -> t.turns().size() == TURNS)
                            && asked.longest > 3 * asked.shortest,
                    "the episodes are so long that computing them anew would show");
        }
    }
}
