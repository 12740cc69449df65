package io.agentprm.bench.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.Tokenizer;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import io.agentprm.engine.djl.DjlConfig;
import io.agentprm.engine.djl.DjlEngine;
import io.agentprm.lm.checkpoint.Initialization;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.ModelFamily;
import io.agentprm.lm.checkpoint.ModelInitializer;
import io.agentprm.lm.checkpoint.RopeScaling;
import io.agentprm.lm.gguf.GgufExport;
import io.agentprm.lm.gguf.GgufPrecision;
import io.agentprm.lm.text.TokenTrie;
import io.agentprm.lm.tokenizer.Tokenizers;
import io.agentprm.lm.tokenizer.WordTrainer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An exported model is the same model on llama.cpp's own server. Runs where {@code
 * AGENTPRM_LLAMA_SERVER} names the program llama-server.
 */
class LlamaCppTest {
    private static final int VOCABULARY = 259;
    private static final int END = 2;

    @TempDir private Path directory;
    private InferenceEngine djl;

    /** Every way in which an exported model may differ from another one. */
    enum Shape {
        LLAMA(base(ModelFamily.LLAMA).kvHeads(2).tiedEmbeddings(false)),
        LLAMA3(
                base(ModelFamily.LLAMA)
                        .kvHeads(1)
                        .headDim(32)
                        .ropeScaling(new RopeScaling.Llama3(8, 1, 4, 32))),
        LINEAR(base(ModelFamily.LLAMA).ropeScaling(new RopeScaling.Linear(2))),
        OWN(base(ModelFamily.AGENTPRM)),
        QWEN2(base(ModelFamily.QWEN2).kvHeads(2).qkvBias(true)),
        QWEN3(base(ModelFamily.QWEN3).kvHeads(2).headDim(32).qkNorm(true));

        private final ModelConfig config;

        Shape(ModelConfig.Builder builder) {
            config = builder.build();
        }

        private static ModelConfig.Builder base(ModelFamily family) {
            return ModelConfig.builder()
                    .family(family)
                    .vocabSize(VOCABULARY)
                    .hiddenSize(64)
                    .intermediateSize(96)
                    .layers(2)
                    .heads(4)
                    .contextLength(256)
                    .bosTokenId(1)
                    .padTokenId(0)
                    .eosTokenIds(List.of(END));
        }
    }

    @BeforeEach
    void requireServer() {
        assumeTrue(
                LlamaServer.program().isPresent(),
                LlamaServer.VARIABLE + " does not name llama.cpp's llama-server");
        djl = DjlEngine.open(DjlConfig.defaults().withThreads(1));
    }

    @AfterEach
    void close() {
        if (djl != null) {
            djl.close();
        }
    }

    private Path model(Shape shape) {
        Path tokenizer = directory.resolve("tokenizer.json");
        WordTrainer.standard().train(List.of()).write(tokenizer);
        Path model = directory.resolve("model");
        ModelInitializer.create(
                model, shape.config, Initialization.FAN_IN, 5, Optional.of(tokenizer));
        return model;
    }

    private static InferenceEngine exact(int slots) {
        return new LlamaCppEngine(GgufPrecision.F32, 1, slots, LlamaServer.EXACT);
    }

    private static int[] prompt(int seed, int length) {
        int[] ids = new Random(seed).ints(length, 3, VOCABULARY).toArray();
        ids[0] = 1;
        return ids;
    }

    private static List<Generation> reply(LanguageModel model, GenerationRequest request) {
        return model.generate(List.of(request)).get(0);
    }

    /** What the other engine says of a reply. */
    private static double[] logProbs(LanguageModel model, int[] prompt, Generation reply) {
        Channel channel = Channel.logProb(1);
        TokenTree row =
                TokenTree.trunk(TokenSegment.context(prompt))
                        .withBranch(TokenSegment.supervised(reply.tokens().ids()), prompt.length);
        return model.evaluate(List.of(row), Set.of(channel)).at(channel, 0, 1);
    }

    @ParameterizedTest
    @EnumSource
    void tokensAndLogProbabilitiesAreThoseOfTheEngineThatTrains(Shape shape) {
        Path model = model(shape);
        try (InferenceEngine llama = exact(4);
                LanguageModel served = llama.load(model);
                LanguageModel here = djl.load(model)) {
            for (int length : new int[] {1, 7, 60}) {
                int[] prompt = prompt(length, length);
                GenerationRequest greedy =
                        GenerationRequest.of(prompt, 1, Sampling.greedy(24), RandomSource.of(1));
                Generation expected = reply(here, greedy).get(0);
                Generation actual = reply(served, greedy).get(0);
                assertArrayEquals(expected.tokens().ids(), actual.tokens().ids());
                assertArrayEquals(expected.tokens().logProbs(), actual.tokens().logProbs(), 1e-4);
                GenerationRequest warm =
                        GenerationRequest.of(
                                prompt, 6, Sampling.temperature(1, 24), RandomSource.of(length));
                for (Generation one : reply(served, warm)) {
                    assertArrayEquals(logProbs(here, prompt, one), one.tokens().logProbs(), 1e-4);
                }
            }
        }
    }

    @Test
    void aSeedGivesAReplyAndEverySampleHasItsOwn() {
        try (InferenceEngine llama = exact(4);
                LanguageModel served = llama.load(model(Shape.LLAMA))) {
            GenerationRequest request =
                    GenerationRequest.of(
                            prompt(3, 9), 6, Sampling.temperature(1, 12), RandomSource.of(1));
            List<Generation> first = reply(served, request);
            List<Generation> second = reply(served, request);
            Set<String> texts = new HashSet<>();
            for (int i = 0; i < first.size(); i++) {
                assertArrayEquals(first.get(i).tokens().ids(), second.get(i).tokens().ids());
                texts.add(Arrays.toString(first.get(i).tokens().ids()));
            }
            assertEquals(6, texts.size());
        }
    }

    @Test
    void aReplyStopsAtTheEndOfTurnOrAtTheLimit() {
        try (InferenceEngine llama = exact(8);
                LanguageModel served = llama.load(model(Shape.OWN))) {
            List<Generation> replies =
                    reply(
                            served,
                            GenerationRequest.of(
                                    prompt(3, 5),
                                    24,
                                    Sampling.temperature(1, 100),
                                    RandomSource.of(1)));
            assertTrue(replies.stream().anyMatch(Generation::stopped));
            for (Generation reply : replies) {
                int[] ids = reply.tokens().ids();
                assertEquals(reply.stopped(), ids[ids.length - 1] == END);
                assertEquals(
                        reply.stopped() ? 1 : 0, Arrays.stream(ids).filter(i -> i == END).count());
                assertTrue(reply.stopped() || ids.length == 100);
            }
        }
    }

    /** Shares of two replies among many: those of the model's own distribution, renormalised. */
    @Test
    void constrainedRepliesAreDrawnAsTheModelWouldDrawThem() {
        Path model = model(Shape.LLAMA);
        int[] prompt = prompt(3, 9);
        List<int[]> allowed =
                List.of(
                        new int[] {70, 80, END},
                        new int[] {70, 81, 90, END},
                        new int[] {70, 81, END},
                        new int[] {100, 101, END});
        try (InferenceEngine llama = exact(8);
                LanguageModel served = llama.load(model);
                LanguageModel here = djl.load(model)) {
            GenerationRequest request =
                    GenerationRequest.of(
                                    prompt, 600, Sampling.temperature(1, 9), RandomSource.of(1))
                            .within(TokenTrie.of(allowed));
            List<Generation> served600 = reply(served, request);
            List<Generation> here600 = reply(here, request);
            for (Generation one : served600) {
                assertTrue(one.stopped());
                assertArrayEquals(logProbs(here, prompt, one), one.tokens().logProbs(), 1e-4);
            }
            for (int[] reply : allowed) {
                double difference = share(served600, reply) - share(here600, reply);
                // Four standard deviations of the difference of two shares of 600 draws.
                assertEquals(0, difference, 4 * Math.sqrt(0.25 * 2 / 600));
            }
        }
    }

    private static double share(List<Generation> replies, int[] reply) {
        return replies.stream().filter(r -> Arrays.equals(r.tokens().ids(), reply)).count()
                / (double) replies.size();
    }

    @ParameterizedTest
    @EnumSource(names = {"F16", "BF16", "Q8_0", "Q4_0"})
    void roundedWeightsGiveNumbersNearby(GgufPrecision precision) {
        Path model = model(Shape.LLAMA);
        int[] prompt = prompt(3, 30);
        try (InferenceEngine llama = new LlamaCppEngine(precision, 1, 1, List.of());
                LanguageModel served = llama.load(model);
                LanguageModel here = djl.load(model)) {
            Generation one =
                    reply(
                                    served,
                                    GenerationRequest.of(
                                            prompt,
                                            1,
                                            Sampling.temperature(1, 40),
                                            RandomSource.of(1)))
                            .get(0);
            assertArrayEquals(
                    logProbs(here, prompt, one), one.tokens().logProbs(), tolerance(precision));
        }
    }

    private static double tolerance(GgufPrecision precision) {
        return switch (precision) {
            case Q4_0 -> 1;
            case Q8_0 -> 0.3;
            default -> 0.1;
        };
    }

    @Test
    void tokensOfSentencePieceAreTheSame() throws IOException {
        String text =
                "the cat put the clean apple in the fridge and took a cloth from the countertop"
                        + " then heated the egg: go to cabinet 12, open \"drawer 3\"! naïve Ärger"
                        + " in the kitchen, cleaner than the other cats and the apples there";
        PieceTokenizer pieces = new PieceTokenizer(text, 60);
        Path model = directory.resolve("model");
        ModelInitializer.create(
                model,
                Shape.LLAMA.config.toBuilder().vocabSize(pieces.size()).build(),
                Initialization.FAN_IN,
                5,
                Optional.of(pieces.write(directory.resolve("tokenizer.json"))));
        Path exported = directory.resolve("exported");
        GgufExport.write(model, exported, GgufPrecision.F32);
        Tokenizer tokenizer = Tokenizers.open(ModelDirectory.open(model));
        Random random = new Random(3);
        String[] words = (text + "   xyz \n\t Ünïcode 日本 😀 the  thethe aaaa").split(" ", -1);
        try (LlamaServer server =
                LlamaServer.start(
                        LlamaServer.program().orElseThrow(),
                        exported.resolve(GgufExport.FILE),
                        1,
                        1,
                        256,
                        List.of())) {
            for (int i = 0; i < 300; i++) {
                List<String> some = new ArrayList<>();
                for (int w = 0; w < 1 + random.nextInt(12); w++) {
                    some.add(words[random.nextInt(words.length)]);
                }
                String one = String.join(random.nextInt(4) == 0 ? "" : " ", some);
                assertEquals(
                        Arrays.toString(tokenizer.encode(one)),
                        tokens(server, one),
                        "'" + one + "'");
            }
        }
    }

    private static String tokens(LlamaServer server, String text) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(server.url() + "/tokenize").toURL().openConnection();
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        String question =
                "{\"content\": %s, \"add_special\": false, \"parse_special\": false}"
                        .formatted(PieceTokenizer.quoted(text));
        connection.getOutputStream().write(question.getBytes(StandardCharsets.UTF_8));
        String answer =
                new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String ids = answer.substring(answer.indexOf('['), answer.indexOf(']') + 1);
        return ids.replace(",", ", ");
    }
}
