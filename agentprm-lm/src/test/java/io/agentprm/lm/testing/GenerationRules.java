package io.agentprm.lm.testing;

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
import io.agentprm.api.lm.TokenConstraint;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.decode.ConversationalModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How every engine that decodes on its own generates, scores and remembers conversations, whatever
 * its kernels. A test of an engine says how to open it.
 */
public abstract class GenerationRules {
    private static final Sampling WARM = Sampling.temperature(0.8, 12);

    /** More MiB than the conversations of any test here fill. */
    private static final long AMPLE = 512;

    @TempDir private Path dir;
    private ConversationalModel model;

    /**
     * A new engine that computes with 32-bit floats and one thread.
     *
     * @param cacheMegabytes bound of the caches of each model, in MiB
     */
    protected abstract InferenceEngine open(long cacheMegabytes);

    private ConversationalModel load(long cacheMegabytes, String name, long seed) {
        return (ConversationalModel) open(cacheMegabytes).load(TinyModels.create(dir, name, seed));
    }

    @BeforeEach
    final void load() {
        model = load(AMPLE, "model", 11);
    }

    @AfterEach
    final void close() {
        model.close();
    }

    private static int[] prompt(int seed, int length) {
        return new Random(seed).ints(length, 3, TinyModels.VOCABULARY).toArray();
    }

    private static GenerationRequest request(int seed, int length, int samples) {
        return GenerationRequest.of(
                prompt(seed, length), samples, WARM, RandomSource.of(1).derive(seed));
    }

    private static int[] join(int[] a, int[] b) {
        int[] out = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, out, a.length, b.length);
        return out;
    }

    private static void assertLogProbs(LanguageModel model, int[] prompt, Generation generation) {
        int[] reply = generation.tokens().ids();
        boolean[] all = new boolean[reply.length];
        Arrays.fill(all, true);
        TokenTree tree =
                TokenTree.trunk(TokenSegment.context(prompt))
                        .withBranch(TokenSegment.of(reply, all, new int[0]), prompt.length);
        Channel channel = Channel.logProb(generation.tokens().temperature());
        double[] expected = model.evaluate(List.of(tree), Set.of(channel)).at(channel, 0, 1);
        assertArrayEquals(expected, generation.tokens().logProbs(), 5e-5);
    }

    @Test
    final void logProbabilitiesAreThoseOfTheModel() {
        List<GenerationRequest> requests =
                List.of(request(1, 7, 3), request(2, 40, 3), request(3, 1, 3), request(4, 22, 1));
        List<List<Generation>> all = model.generate(requests);
        for (int i = 0; i < requests.size(); i++) {
            assertEquals(requests.get(i).samples(), all.get(i).size());
            for (Generation generation : all.get(i)) {
                assertTrue(generation.tokens().length() > 0);
                assertLogProbs(model, requests.get(i).prompt(), generation);
            }
        }
    }

    @Test
    final void theRestOfTheBatchChangesNothing() {
        GenerationRequest one = request(1, 9, 4);
        List<Generation> alone = model.generate(List.of(one)).get(0);
        List<Generation> among =
                model.generate(List.of(request(2, 31, 4), one, request(3, 3, 4), request(4, 5, 2)))
                        .get(1);
        Set<String> texts = new java.util.HashSet<>();
        for (int i = 0; i < alone.size(); i++) {
            assertArrayEquals(alone.get(i).tokens().ids(), among.get(i).tokens().ids());
            texts.add(Arrays.toString(alone.get(i).tokens().ids()));
        }
        assertTrue(texts.size() > 1, "samples of one prompt differ");
    }

    @Test
    final void aConversationComputesNewTokensOnly() {
        int[] state = prompt(5, 20);
        for (int turn = 0; turn < 4; turn++) {
            long before = model.tokensComputed();
            GenerationRequest request = GenerationRequest.of(state, 1, WARM, RandomSource.of(turn));
            Generation cached = model.generate(List.of(request.in("a"))).get(0).get(0);
            long computed = model.tokensComputed() - before;
            int reply = cached.tokens().length();
            assertEquals(turn == 0 ? 20 + reply - 1 : 1 + 5 + reply - 1, computed);
            Generation fresh = model.generate(List.of(request)).get(0).get(0);
            assertArrayEquals(fresh.tokens().ids(), cached.tokens().ids());
            assertLogProbs(model, state, cached);
            state = join(join(state, cached.tokens().ids()), prompt(100 + turn, 5));
        }
        assertTrue(model.cacheBytes() > 0);
        model.release("a");
        assertEquals(0, model.cacheBytes());
    }

    /** Tokens that the model computes meanwhile. */
    private long computed(Runnable work) {
        long before = model.tokensComputed();
        work.run();
        return model.tokensComputed() - before;
    }

    /** Tokens after which a reply goes on: those that agree with an earlier one are shared. */
    private static long computed(List<Generation> replies) {
        return replies.stream()
                .map(reply -> reply.tokens().ids())
                .flatMap(
                        ids ->
                                IntStream.range(1, ids.length)
                                        .mapToObj(n -> Arrays.toString(Arrays.copyOf(ids, n))))
                .distinct()
                .count();
    }

    @Test
    final void theReplyThatIsChosenAmongSeveralIsNotComputedAgain() {
        int[] state = prompt(5, 20);
        int missing = state.length;
        for (int turn = 0; turn < 4; turn++) {
            List<Generation> replies = new ArrayList<>();
            // Another round of replies to the same prompt computes its last token again.
            for (int round = 0; round < 2; round++) {
                GenerationRequest request =
                        GenerationRequest.of(state, 5, WARM, RandomSource.of(turn).derive(round));
                List<Generation> more = new ArrayList<>();
                long count =
                        computed(
                                () -> more.addAll(model.generate(List.of(request.in("a"))).get(0)));
                assertEquals((round == 0 ? missing : 1) + computed(more), count);
                for (Generation reply : more) {
                    assertLogProbs(model, state, reply);
                }
                replies.addAll(more);
            }
            int[] chosen = replies.get(7 * turn % 10).tokens().ids();
            int[] observation = prompt(100 + turn, 5);
            // What ends a reply is drawn and not computed.
            missing = 1 + observation.length;
            state = join(join(state, chosen), observation);
        }
    }

    @Test
    final void ofAReplyThatThePromptGoesOnWithInPartThatPartIsNotComputedAgain() {
        int[] state = prompt(5, 20);
        GenerationRequest request = GenerationRequest.of(state, 4, WARM, RandomSource.of(1));
        int[] reply =
                model.generate(List.of(request.in("a"))).get(0).stream()
                        .map(generation -> generation.tokens().ids())
                        .filter(ids -> ids.length > 3)
                        .findFirst()
                        .orElseThrow();
        int[] next = join(state, Arrays.copyOf(reply, 3));
        next[next.length - 1] = reply[2] == 9 ? 10 : 9;
        GenerationRequest other = GenerationRequest.of(next, 1, WARM, RandomSource.of(2));
        List<Generation> cached = new ArrayList<>();
        long count = computed(() -> cached.addAll(model.generate(List.of(other.in("a"))).get(0)));
        assertEquals(1 + computed(cached), count);
        assertLogProbs(model, next, cached.get(0));
    }

    @Test
    final void aScoredReplyThatThePromptGoesOnWithIsNotComputedAgain() {
        int[] state = prompt(5, 20);
        int missing = state.length;
        for (int turn = 0; turn < 4; turn++) {
            List<int[]> replies = new ArrayList<>();
            for (int k = 0; k < 4; k++) {
                replies.add(prompt(10 * turn + k, 3 + k));
            }
            ContinuationRequest request = new ContinuationRequest(state, replies, Optional.of("a"));
            List<double[]> scores = new ArrayList<>();
            long count = computed(() -> scores.addAll(model.score(List.of(request))));
            assertEquals(missing + 3 + 4 + 5 + 6, count);
            double[] fresh =
                    model.score(List.of(new ContinuationRequest(state, replies, Optional.empty())))
                            .get(0);
            assertArrayEquals(fresh, scores.get(0), 2e-5);
            int[] observation = prompt(100 + turn, 5);
            missing = observation.length;
            state = join(join(state, replies.get(turn)), observation);
        }
    }

    @Test
    final void aPromptThatDepartsFromTheCacheIsComputedFromThere() {
        int[] first = prompt(6, 30);
        int[] second = Arrays.copyOf(first, 30);
        second[17] = first[17] == 9 ? 10 : 9;
        model.generate(List.of(GenerationRequest.of(first, 1, WARM, RandomSource.of(1)).in("c")));
        GenerationRequest other = GenerationRequest.of(second, 1, WARM, RandomSource.of(2));
        Generation cached = model.generate(List.of(other.in("c"))).get(0).get(0);
        assertArrayEquals(
                model.generate(List.of(other)).get(0).get(0).tokens().ids(), cached.tokens().ids());
        assertLogProbs(model, second, cached);
    }

    @Test
    final void conversationsContinueWhereverOthersHaveEnded() {
        int[][] states = new int[15][];
        for (int i = 0; i < states.length; i++) {
            states[i] = prompt(200 + i, 10 + 7 * i);
        }
        int[] open = IntStream.range(0, states.length).toArray();
        while (open.length > 0) {
            int[] now = open;
            for (int samples = 1; samples <= 5; samples += 4) {
                List<GenerationRequest> requests = new ArrayList<>();
                for (int i : open) {
                    requests.add(
                            GenerationRequest.of(states[i], samples, WARM, RandomSource.of(i)));
                }
                List<List<Generation>> replies =
                        model.generate(
                                IntStream.range(0, open.length)
                                        .mapToObj(k -> requests.get(k).in("c" + now[k]))
                                        .toList());
                for (int k = 0; k < open.length; k++) {
                    for (Generation reply : replies.get(k)) {
                        assertLogProbs(model, states[open[k]], reply);
                    }
                    int[] chosen = replies.get(k).get(samples / 2).tokens().ids();
                    states[open[k]] = join(join(states[open[k]], chosen), prompt(300 + k, 1 + k));
                }
            }
            IntStream.range(0, now.length)
                    .filter(k -> k % 3 != 2)
                    .forEach(k -> model.release("c" + now[k]));
            open =
                    IntStream.range(0, now.length)
                            .filter(k -> k % 3 == 2)
                            .map(k -> now[k])
                            .toArray();
        }
    }

    @Test
    final void longObservationsOfAFewConversationsAreRemembered() {
        int[][] states = new int[10][];
        for (int i = 0; i < states.length; i++) {
            states[i] = prompt(400 + i, 12);
        }
        for (int turn = 0; turn < 3; turn++) {
            List<GenerationRequest> requests = new ArrayList<>();
            for (int i = 0; i < states.length; i++) {
                requests.add(
                        GenerationRequest.of(states[i], 1, WARM, RandomSource.of(i)).in("c" + i));
            }
            List<List<Generation>> replies = model.generate(requests);
            for (int i = 0; i < states.length; i++) {
                assertLogProbs(model, states[i], replies.get(i).get(0));
                int[] reply = replies.get(i).get(0).tokens().ids();
                int observed = i % 7 == 0 ? 50 : 3;
                states[i] = join(join(states[i], reply), prompt(500 + 10 * turn + i, observed));
            }
        }
    }

    @Test
    final void twoRequestsOfOneConversationDoNotDisturbEachOther() {
        GenerationRequest a = request(1, 9, 1);
        GenerationRequest b = request(2, 14, 1);
        List<List<Generation>> apart = model.generate(List.of(a, b));
        List<List<Generation>> same = model.generate(List.of(a.in("x"), b.in("x")));
        for (int i = 0; i < 2; i++) {
            assertArrayEquals(
                    apart.get(i).get(0).tokens().ids(), same.get(i).get(0).tokens().ids());
        }
    }

    /** Exactly one of these replies. */
    private static TokenConstraint oneOf(int[]... replies) {
        record At(List<int[]> left, int depth) implements TokenConstraint.State {
            @Override
            public int[] allowed() {
                return left.stream().mapToInt(r -> r[depth]).distinct().sorted().toArray();
            }

            @Override
            public TokenConstraint.State next(int id) {
                return new At(left.stream().filter(r -> r[depth] == id).toList(), depth + 1);
            }
        }
        return () -> new At(List.of(replies), 0);
    }

    @Test
    final void aConstraintRestrictsTheTokensAndNotTheirLogProbabilities() {
        int[][] replies = {{10, 20, 2}, {10, 21, 22, 2}, {30, 2}};
        GenerationRequest request =
                GenerationRequest.of(prompt(7, 12), 40, WARM, RandomSource.of(3))
                        .within(oneOf(replies));
        Set<String> seen = new java.util.HashSet<>();
        for (Generation generation : model.generate(List.of(request)).get(0)) {
            int[] ids = generation.tokens().ids();
            assertTrue(generation.stopped());
            assertTrue(Arrays.stream(replies).anyMatch(r -> Arrays.equals(r, ids)));
            assertLogProbs(model, request.prompt(), generation);
            seen.add(Arrays.toString(ids));
        }
        assertTrue(seen.size() > 1, seen.toString());
    }

    @Test
    final void greedyTakesTheLikeliestAndANarrowNucleusDoesToo() {
        Sampling narrow = new Sampling(1, 1e-9, 6);
        int[] prompt = prompt(8, 15);
        int[] greedy = ids(GenerationRequest.of(prompt, 1, Sampling.greedy(6), RandomSource.of(1)));
        assertArrayEquals(greedy, ids(GenerationRequest.of(prompt, 1, narrow, RandomSource.of(2))));
    }

    private int[] ids(GenerationRequest request) {
        return model.generate(List.of(request)).get(0).get(0).tokens().ids();
    }

    @Test
    final void samplesFollowTheModelsDistribution() {
        int[] prompt = prompt(9, 10);
        GenerationRequest request =
                GenerationRequest.of(prompt, 4000, Sampling.temperature(1, 1), RandomSource.of(5))
                        .within(oneOf(new int[] {40}, new int[] {50}, new int[] {60}));
        double[] counts = new double[3];
        double[] odds = new double[3];
        for (Generation generation : model.generate(List.of(request)).get(0)) {
            int which = generation.tokens().ids()[0] / 10 - 4;
            counts[which]++;
            odds[which] = Math.exp(generation.tokens().logProbs()[0]);
        }
        double total = Arrays.stream(odds).sum();
        for (int i = 0; i < 3; i++) {
            double p = odds[i] / total;
            assertEquals(p, counts[i] / 4000, 4 * Math.sqrt(p * (1 - p) / 4000));
        }
    }

    @Test
    final void scoresOfContinuationsAreThoseAfterTheirLastTokens() {
        List<ContinuationRequest> requests = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            List<int[]> continuations =
                    IntStream.range(0, 1 + i).mapToObj(k -> prompt(50 + k, 1 + k % 3)).toList();
            requests.add(
                    new ContinuationRequest(
                            prompt(20 + i, 4 + 9 * i), continuations, Optional.of("s" + i)));
        }
        List<double[]> scores = model.score(requests);
        List<double[]> again = model.score(requests);
        for (int i = 0; i < requests.size(); i++) {
            int[] prompt = requests.get(i).prompt();
            List<int[]> continuations = requests.get(i).continuations();
            assertEquals(continuations.size(), scores.get(i).length);
            for (int k = 0; k < continuations.size(); k++) {
                TokenTree row =
                        TokenTree.trunk(TokenSegment.scored(join(prompt, continuations.get(k))));
                double expected =
                        model.evaluate(List.of(row), Set.of(Channel.SCORE))
                                .at(Channel.SCORE, 0, 0)[0];
                assertEquals(expected, scores.get(i)[k], 2e-5);
                assertEquals(expected, again.get(i)[k], 2e-5);
            }
        }
    }

    @Test
    final void repliesThatAreKeptPushNoConversationOut() {
        try (ConversationalModel tight = load(1, "tight", 12)) {
            tight.generate(List.of(request(0, 100, 1).in("c0")));
            int fitting = (int) ((1 << 20) / tight.cacheBytes());
            for (int i = 1; i < fitting * 6 / 10; i++) {
                boolean several = i == fitting * 4 / 10;
                tight.generate(List.of(request(i, 100, several ? 12 : 1).in("c" + i)));
            }
            for (int i = 0; i < fitting * 6 / 10; i++) {
                long before = tight.tokensComputed();
                List<Generation> replies =
                        tight.generate(List.of(request(i, 100, 1).in("c" + i))).get(0);
                assertEquals(1 + computed(replies), tight.tokensComputed() - before, "c" + i);
            }
        }
    }

    @Test
    final void cachesStayWithinTheirBound() {
        try (ConversationalModel tight = load(1, "tight", 12)) {
            for (int i = 0; i < 60; i++) {
                tight.generate(List.of(request(i, 100, 1 + i % 4).in("c" + i)));
                assertTrue(tight.cacheBytes() <= 1 << 20, "after " + i);
            }
            assertTrue(tight.cacheBytes() > 1 << 18);
        }
    }

    private static final int[][] TWO = {{10, 20, 2}, {30, 2}};

    /** A constraint that is asked while the model generates stops there until it is let go. */
    private static TokenConstraint waiting(CountDownLatch reached, CountDownLatch go) {
        return () -> {
            TokenConstraint.State start = oneOf(TWO).start();
            return new TokenConstraint.State() {
                @Override
                public int[] allowed() {
                    reached.countDown();
                    try {
                        assertTrue(go.await(60, TimeUnit.SECONDS), "nobody let go");
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    return start.allowed();
                }

                @Override
                public TokenConstraint.State next(int id) {
                    return start.next(id);
                }
            };
        };
    }

    @Test
    final void aSecondThreadAtTheSameTimeIsRefusedAndDoesNotDisturbTheFirst() throws Exception {
        GenerationRequest plain = request(9, 8, 1).within(oneOf(TWO));
        int[] alone = model.generate(List.of(plain)).get(0).get(0).tokens().ids();
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        GenerationRequest held = request(9, 8, 1).within(waiting(reached, go));
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Future<List<List<Generation>>> first =
                    other.submit(() -> model.generate(List.of(held)));
            assertTrue(reached.await(60, TimeUnit.SECONDS), "the first thread does not generate");
            LanguageModelException refused =
                    assertThrows(
                            LanguageModelException.class, () -> model.generate(List.of(plain)));
            assertTrue(refused.getMessage().contains("one thread at a time"), refused.getMessage());
            assertThrows(LanguageModelException.class, () -> model.release("c"));
            go.countDown();
            assertArrayEquals(alone, first.get().get(0).get(0).tokens().ids());
        } finally {
            go.countDown();
            other.shutdownNow();
        }
        assertArrayEquals(alone, model.generate(List.of(plain)).get(0).get(0).tokens().ids());
    }

    @Test
    final void modelsOnThreadsOfTheirOwnGiveWhatTheyGiveAlone() throws Exception {
        List<GenerationRequest> requests =
                IntStream.range(0, 6).mapToObj(i -> request(i, 5 + 4 * i, 3)).toList();
        List<String> alone = ids(model.generate(requests));
        ExecutorService threads = Executors.newFixedThreadPool(2);
        InferenceEngine engine = open(AMPLE);
        Path directory = TinyModels.create(dir, "shared", 11);
        try {
            List<Future<List<String>>> results =
                    threads.invokeAll(
                            Collections.nCopies(
                                    4,
                                    () -> {
                                        try (LanguageModel own = engine.load(directory)) {
                                            return ids(own.generate(requests));
                                        }
                                    }));
            for (Future<List<String>> result : results) {
                assertEquals(alone, result.get());
            }
        } finally {
            threads.shutdownNow();
            engine.close();
        }
    }

    private static List<String> ids(List<List<Generation>> all) {
        return all.stream()
                .flatMap(List::stream)
                .map(generation -> Arrays.toString(generation.tokens().ids()))
                .toList();
    }
}
