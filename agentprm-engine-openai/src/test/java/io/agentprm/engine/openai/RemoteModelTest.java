package io.agentprm.engine.openai;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.lm.text.TokenTrie;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoteModelTest {
    private static final Channel LOG_PROB = Channel.logProb(1);

    @TempDir Path dir;

    private Path directory;
    private StubVllm vllm;
    private StubServer server;
    private LanguageModel model;

    @BeforeEach
    void open() {
        directory = TinyModel.create(dir, "m");
        vllm = new StubVllm(TinyModel.vocabulary(directory));
        server = new StubServer(vllm::answer);
        model = engine(Dialect.VLLM, true).load(directory);
    }

    @AfterEach
    void close() {
        model.close();
        server.close();
    }

    private InferenceEngine engine(Dialect dialect, boolean rewards) {
        ServerConfig config = ServerConfig.of(server.url(), dialect);
        return new OpenAiEngineProvider()
                .create(
                        new OpenAiEngineConfig(
                                config, rewards ? Optional.of(config) : Optional.empty()),
                        RunContext.ofSeed(1));
    }

    private static InferenceEngine engine(ServerConfig config) {
        return new OpenAiEngineProvider()
                .create(new OpenAiEngineConfig(config, Optional.empty()), RunContext.ofSeed(1));
    }

    @Test
    void aConstrainedReplyIsOneOfTheAllowedWithTheModelsLogProbabilities() {
        int end = model.tokenizer().endOfTurn();
        TokenTrie trie = TokenTrie.of(List.of(new int[] {5, end}, new int[] {6, 7, end}));
        List<Generation> generations =
                model.generate(
                                List.of(
                                        GenerationRequest.of(
                                                        new int[] {1, 4},
                                                        20,
                                                        Sampling.temperature(1, 9),
                                                        RandomSource.of(1))
                                                .within(trie)))
                        .get(0);
        assertEquals(20, generations.size());
        assertEquals(
                2,
                generations.stream().map(g -> g.tokens().length()).distinct().count(),
                "both are drawn");
        for (Generation generation : generations) {
            int[] ids = generation.tokens().ids();
            assertTrue(generation.stopped());
            assertEquals(vllm.logProbs(4)[ids[0]], generation.tokens().logProbs()[0], 1e-12);
            assertEquals(vllm.logProbs(ids[0])[ids[1]], generation.tokens().logProbs()[1], 1e-12);
        }
        assertEquals(2, server.received().size(), "each allowed reply is asked about once");
    }

    /** The second token of each reply is within a character, and so not described. */
    private static StubServer.Reply llamaCpp(StubServer.Received received) {
        return StubServer.json(
                received.body().path("n_predict").asInt() == 1
                        ? "{'tokens': [2], 'completion_probabilities': [{'id': 2, 'logprob': -9,"
                                + " 'top_logprobs': [{'id': 6, 'logprob': -0.75}, {'id': 2,"
                                + " 'logprob': -9}]}]}"
                        : "{'tokens': [5, 6, 2], 'completion_probabilities': [{'id': 5, 'logprob':"
                                + " -0.5}, {'id': 2, 'logprob': -0.25}]}");
    }

    @Test
    void logProbabilitiesThatLlamaCppLeavesOutAreAskedForAfterwards() {
        try (StubServer llama = new StubServer(RemoteModelTest::llamaCpp);
                LanguageModel served =
                        engine(ServerConfig.of(llama.url(), Dialect.LLAMA_CPP)).load(directory)) {
            GenerationRequest request =
                    GenerationRequest.of(
                            new int[] {1, 4}, 1, Sampling.temperature(1, 9), RandomSource.of(1));
            Generation generation = served.generate(List.of(request)).get(0).get(0);
            assertArrayEquals(new int[] {5, 6, 2}, generation.tokens().ids());
            assertArrayEquals(new double[] {-0.5, -0.75, -0.25}, generation.tokens().logProbs());
            assertEquals(2, llama.received().size());
            assertEquals("[1,4,5]", llama.received().get(1).body().path("prompt").toString());
        }
    }

    @Test
    void llamaCppKeepsToAConstraintByItself() {
        try (StubServer llama = new StubServer(RemoteModelTest::llamaCpp);
                LanguageModel served =
                        engine(ServerConfig.of(llama.url(), Dialect.LLAMA_CPP)).load(directory)) {
            GenerationRequest request =
                    GenerationRequest.of(
                                    new int[] {1, 4},
                                    1,
                                    Sampling.temperature(1, 9),
                                    RandomSource.of(1))
                            .within(TokenTrie.of(List.of(new int[] {5, 6}, new int[] {7, 2})));
            Generation generation = served.generate(List.of(request)).get(0).get(0);
            assertArrayEquals(new int[] {5, 6}, generation.tokens().ids());
            assertEquals(
                    "root ::= (<[5]> <[6]> \"\" | <[7]> \"\")",
                    llama.received().get(0).body().path("grammar").asText());
        }
    }

    @Test
    void aPartOfACharacterIsNotConstrainedToByAGrammar() {
        try (StubServer llama = new StubServer(RemoteModelTest::llamaCpp);
                LanguageModel served =
                        engine(ServerConfig.of(llama.url(), Dialect.LLAMA_CPP)).load(directory)) {
            int[] parts = served.tokenizer().encode("é");
            GenerationRequest request =
                    GenerationRequest.of(new int[] {1}, 1, Sampling.greedy(4), RandomSource.of(1))
                            .within(TokenTrie.of(List.of(new int[] {parts[0], parts[1], 2})));
            ServerException e =
                    assertThrows(ServerException.class, () -> served.generate(List.of(request)));
            assertTrue(e.getMessage().contains("part of a character"), e.getMessage());
        }
    }

    @Test
    void weightsNeedNotBeWhereTheModelIsNotRun() throws IOException {
        Files.delete(directory.resolve("model.safetensors"));
        try (LanguageModel served = engine(Dialect.VLLM, false).load(directory)) {
            assertEquals(TinyModel.vocabulary(directory), served.tokenizer().vocabularySize());
        }
    }

    @Test
    void everySampleHasASeedOfItsOwn() {
        model.generate(
                List.of(
                        GenerationRequest.of(
                                new int[] {1, 4},
                                8,
                                Sampling.temperature(1, 5),
                                RandomSource.of(1))));
        assertEquals(
                8,
                server.received().stream()
                        .map(r -> r.body().path("seed").asInt())
                        .distinct()
                        .count());
    }

    @Test
    void logProbabilitiesFollowTrunkAndBranches() {
        TokenTree row =
                TokenTree.trunk(
                                TokenSegment.of(
                                        new int[] {1, 4, 5},
                                        new boolean[] {false, false, true},
                                        new int[0]))
                        .withBranch(TokenSegment.supervised(8, 9), 2)
                        .withBranch(TokenSegment.supervised(7), 3);
        ModelOutputs outputs = model.evaluate(List.of(row), Set.of(LOG_PROB));
        assertArrayEquals(new double[] {vllm.logProbs(4)[5]}, outputs.at(LOG_PROB, 0, 0), 1e-12);
        assertArrayEquals(
                new double[] {vllm.logProbs(4)[8], vllm.logProbs(8)[9]},
                outputs.at(LOG_PROB, 0, 1),
                1e-12);
        assertArrayEquals(new double[] {vllm.logProbs(5)[7]}, outputs.at(LOG_PROB, 0, 2), 1e-12);
    }

    @Test
    void scoresAreThoseOfPromptAndContinuation() {
        try (LanguageModel rewards = engine(Dialect.VLLM, true).load(TinyModel.scored(dir, "q"))) {
            assertTrue(rewards.info().hasScoreHead());
            List<double[]> scores =
                    rewards.score(
                            List.of(
                                    new ContinuationRequest(
                                            new int[] {1, 4},
                                            List.of(new int[] {5}, new int[] {6, 7}),
                                            Optional.empty()),
                                    new ContinuationRequest(
                                            new int[] {1},
                                            List.of(new int[] {9}),
                                            Optional.empty())));
            assertArrayEquals(new double[] {0.10, 0.18}, scores.get(0), 1e-12);
            assertArrayEquals(new double[] {0.10}, scores.get(1), 1e-12);
            TokenTree row =
                    TokenTree.trunk(
                            TokenSegment.of(new int[] {1, 4, 5}, new boolean[3], new int[] {1, 2}));
            assertArrayEquals(
                    new double[] {0.05, 0.10},
                    rewards.evaluate(List.of(row), Set.of(Channel.SCORE)).at(Channel.SCORE, 0, 0),
                    1e-12);
        }
    }

    @Test
    void aRewardModelWithoutAServerIsRefused() {
        ServerException e =
                assertThrows(
                        ServerException.class,
                        () -> engine(Dialect.VLLM, false).load(TinyModel.scored(dir, "q")));
        assertTrue(e.getMessage().contains("reward-server"), e.getMessage());
    }

    @Test
    void whatADialectLacksIsRefusedWithARemedy() {
        ServerException ids =
                assertThrows(
                        ServerException.class,
                        () ->
                                new OpenAiEngineProvider()
                                        .create(
                                                new OpenAiEngineConfig(openAi(), Optional.empty()),
                                                RunContext.ofSeed(1)));
        assertTrue(ids.getMessage().contains("openai-policy"), ids.getMessage());
        ServerException scores =
                assertThrows(ServerException.class, () -> engine(Dialect.LLAMA_CPP, true));
        assertTrue(scores.getMessage().contains("reward-server"), scores.getMessage());
        try (LanguageModel llama = engine(Dialect.LLAMA_CPP, false).load(directory)) {
            TokenTree row = TokenTree.trunk(TokenSegment.context(1, 2));
            ServerException evaluated =
                    assertThrows(
                            ServerException.class,
                            () -> llama.evaluate(List.of(row), Set.of(LOG_PROB)));
            assertTrue(evaluated.getMessage().contains("engine djl"), evaluated.getMessage());
        }
    }

    private ServerConfig openAi() {
        ServerConfig vllm = ServerConfig.of(server.url(), Dialect.VLLM);
        return new ServerConfig(
                vllm.url(),
                Dialect.OPENAI,
                Optional.of("m"),
                Optional.empty(),
                1,
                0,
                vllm.timeout(),
                vllm.deadline(),
                1,
                vllm.firstWait());
    }

    @Test
    void otherChannelsAreRefusedWithARemedy() {
        TokenTree row = TokenTree.trunk(TokenSegment.context(1, 2));
        ServerException e =
                assertThrows(
                        ServerException.class,
                        () -> model.evaluate(List.of(row), Set.of(Channel.entropy(1))));
        assertTrue(e.getMessage().contains("engine djl"), e.getMessage());
    }

    @Test
    void aServerOfAnotherModelIsFoundOutByItsTokens() {
        server.close();
        server =
                new StubServer(
                        r ->
                                StubServer.json(
                                        "{'choices': [{'logprobs': {'tokens': ['token_id:99999'],"
                                                + " 'token_logprobs': [-1]}}]}"));
        try (LanguageModel other = engine(Dialect.VLLM, false).load(directory)) {
            ServerException e =
                    assertThrows(
                            ServerException.class,
                            () ->
                                    other.generate(
                                            List.of(
                                                    GenerationRequest.of(
                                                            new int[] {1},
                                                            1,
                                                            Sampling.greedy(4),
                                                            RandomSource.of(1)))));
            assertTrue(e.getMessage().contains("serves another model"), e.getMessage());
        }
    }

    @Test
    void modelsOfAnEngineShareTheLimitsOfTheirServer() {
        ServerConfig slow =
                new ServerConfig(
                        server.url(),
                        Dialect.VLLM,
                        Optional.empty(),
                        Optional.empty(),
                        1,
                        1,
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(30),
                        1,
                        Duration.ZERO);
        GenerationRequest request =
                GenerationRequest.of(new int[] {1, 4}, 1, Sampling.greedy(2), RandomSource.of(1));
        try (InferenceEngine engine = engine(slow);
                LanguageModel first = engine.load(directory);
                LanguageModel second = engine.load(directory)) {
            first.generate(List.of(request));
            ServerException e =
                    assertThrows(ServerException.class, () -> second.generate(List.of(request)));
            assertTrue(e.getMessage().contains("at 1 requests a minute"), e.getMessage());
        }
        assertEquals(1, server.received().size());
    }

    @Test
    void tokensSentAndSampledAreCounted() {
        List<Generation> generations =
                model.generate(
                                List.of(
                                        GenerationRequest.of(
                                                new int[] {1, 4},
                                                2,
                                                Sampling.temperature(1, 5),
                                                RandomSource.of(1))))
                        .get(0);
        assertEquals(
                4 + generations.get(0).tokens().length() + generations.get(1).tokens().length(),
                model.tokensComputed());
    }
}
