package io.agentprm.cli.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

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
import io.agentprm.engine.djl.DjlConfig;
import io.agentprm.engine.djl.DjlEngine;
import io.agentprm.engine.onnx.OnnxConfig;
import io.agentprm.engine.onnx.OnnxEngine;
import io.agentprm.engine.onnx.OnnxExport;
import io.agentprm.engine.onnx.Precision;
import io.agentprm.lm.checkpoint.Initialization;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelFamily;
import io.agentprm.lm.checkpoint.ModelInitializer;
import io.agentprm.lm.text.TokenTrie;
import io.agentprm.lm.tokenizer.WordTrainer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A model directory is the same model on every engine that loads it. */
class EnginesAgreeTest {
    private static final double TOLERANCE = 2e-4;
    private static final int VOCABULARY = 259;
    private static final Channel LOG_PROB = Channel.logProb(1);
    private static final Channel WARM_LOG_PROB = Channel.logProb(0.7);
    private static final Channel ENTROPY = Channel.entropy(0.7);

    @TempDir private Path directory;

    /** Every switch of a model's shape is on in some of them and off in others. */
    enum Shape {
        OWN(
                base(ModelFamily.AGENTPRM)
                        .kvHeads(2)
                        .previousTokenEmbedding(true)
                        .secondPreviousTokenEmbedding(true)
                        .recallEmbedding(true)
                        .scoreHead(true)
                        .scoreBias(true)),
        OWN_PLAIN(base(ModelFamily.AGENTPRM).scoreHead(true)),
        OWN_PREVIOUS(base(ModelFamily.AGENTPRM).previousTokenEmbedding(true).scoreHead(true)),
        LLAMA(base(ModelFamily.LLAMA).kvHeads(1).tiedEmbeddings(false)),
        QWEN2(base(ModelFamily.QWEN2).kvHeads(2).qkvBias(true)),
        QWEN3(base(ModelFamily.QWEN3).kvHeads(2).headDim(16).qkNorm(true));

        private final ModelConfig config;

        Shape(ModelConfig.Builder builder) {
            config = builder.build();
        }

        private static ModelConfig.Builder base(ModelFamily family) {
            return ModelConfig.builder()
                    .family(family)
                    .vocabSize(VOCABULARY)
                    .hiddenSize(32)
                    .intermediateSize(48)
                    .layers(2)
                    .heads(4)
                    .contextLength(256)
                    .bosTokenId(1)
                    .padTokenId(0)
                    .eosTokenIds(List.of(2));
        }
    }

    @ParameterizedTest
    @EnumSource
    void numbersAreTheSameWithinRounding(Shape shape) {
        Path model = model(shape);
        try (InferenceEngine djl = DjlEngine.open(DjlConfig.defaults().withThreads(1));
                InferenceEngine onnx = OnnxEngine.open(OnnxConfig.defaults().withThreads(1));
                LanguageModel first = djl.load(model);
                LanguageModel second = onnx.load(model)) {
            Set<Channel> channels =
                    shape.config.scoreHead()
                            ? Set.of(LOG_PROB, WARM_LOG_PROB, ENTROPY, Channel.SCORE)
                            : Set.of(LOG_PROB, WARM_LOG_PROB, ENTROPY);
            assertSameOutputs(first, second, channels);
            if (shape.config.scoreHead()) {
                assertSameScores(first, second);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void repliesAreTheSameForTheSameSeeds(Shape shape) {
        Path model = model(shape);
        Path exported = directory.resolve("exported");
        OnnxExport.write(model, exported, Precision.F32);
        try (InferenceEngine djl = DjlEngine.open(DjlConfig.defaults().withThreads(1));
                InferenceEngine onnx = OnnxEngine.open(OnnxConfig.defaults().withThreads(1));
                LanguageModel first = djl.load(model);
                LanguageModel second = onnx.load(model);
                LanguageModel third = onnx.load(exported)) {
            for (int turn = 0; turn < 3; turn++) {
                List<GenerationRequest> requests = requests(turn);
                List<List<Generation>> expected = first.generate(requests);
                assertSameReplies(expected, second.generate(requests));
                assertSameReplies(expected, third.generate(requests));
            }
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

    private static int[] tokens(int seed, int length) {
        return new Random(seed).ints(length, 3, VOCABULARY).toArray();
    }

    private static TokenSegment segment(int seed, int length, boolean first) {
        boolean[] supervised = new boolean[length];
        Arrays.fill(supervised, first ? 1 : 0, length, true);
        return TokenSegment.of(tokens(seed, length), supervised, new int[] {0, length - 1});
    }

    private static void assertSameOutputs(
            LanguageModel first, LanguageModel second, Set<Channel> channels) {
        List<TokenTree> rows = new ArrayList<>();
        for (int r = 0; r < 5; r++) {
            TokenTree tree = TokenTree.trunk(segment(r, 9 + 17 * r, true));
            rows.add(
                    r % 2 == 0
                            ? tree
                            : tree.withBranch(segment(10 + r, 6, false), 4)
                                    .withBranch(segment(20 + r, 11, false), 9 + 17 * r));
        }
        ModelOutputs expected = first.evaluate(rows, channels);
        ModelOutputs actual = second.evaluate(rows, channels);
        for (Channel channel : channels) {
            for (int r = 0; r < rows.size(); r++) {
                for (int s = 0; s < rows.get(r).segments().size(); s++) {
                    assertArrayEquals(
                            expected.at(channel, r, s),
                            actual.at(channel, r, s),
                            TOLERANCE,
                            channel + " of row " + r + ", segment " + s);
                }
            }
        }
    }

    private static void assertSameScores(LanguageModel first, LanguageModel second) {
        List<ContinuationRequest> requests = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            requests.add(
                    new ContinuationRequest(
                            tokens(30 + i, 5 + 20 * i),
                            List.of(tokens(40 + i, 3), tokens(50 + i, 8)),
                            Optional.of("s" + i)));
        }
        List<double[]> expected = first.score(requests);
        List<double[]> actual = second.score(requests);
        for (int i = 0; i < requests.size(); i++) {
            assertArrayEquals(expected.get(i), actual.get(i), TOLERANCE, "request " + i);
        }
    }

    /** Free and listed replies, one sample and several, with and without a conversation. */
    private static List<GenerationRequest> requests(int turn) {
        List<GenerationRequest> requests = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            GenerationRequest request =
                    GenerationRequest.of(
                            tokens(60 + i, 4 + 13 * i + 9 * turn),
                            1 + 3 * (i % 2),
                            new Sampling(0.5 + 0.25 * (i % 3), i == 4 ? 0.8 : 1, 10),
                            RandomSource.of(turn).derive(i));
            if (i % 3 == 0) {
                request = request.in("c" + i);
            }
            if (i > 3) {
                request =
                        request.within(
                                TokenTrie.of(
                                        List.of(
                                                new int[] {10, 20, 30, 2},
                                                new int[] {10, 21, 2},
                                                new int[] {11, 22, 31, 40, 2})));
            }
            requests.add(request);
        }
        return requests;
    }

    private static void assertSameReplies(
            List<List<Generation>> expected, List<List<Generation>> actual) {
        assertEquals(expected.size(), actual.size());
        for (int i = 0; i < expected.size(); i++) {
            assertEquals(expected.get(i).size(), actual.get(i).size());
            for (int k = 0; k < expected.get(i).size(); k++) {
                Generation one = expected.get(i).get(k);
                Generation other = actual.get(i).get(k);
                assertArrayEquals(one.tokens().ids(), other.tokens().ids());
                assertEquals(one.stopped(), other.stopped());
                assertArrayEquals(one.tokens().logProbs(), other.tokens().logProbs(), TOLERANCE);
            }
        }
    }
}
