package io.agentprm.engine.openai;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a bad server does to those who ask it: nothing that they see, or an error that says what.
 */
class FaultyServerTest {
    private static final State STATE =
            State.initial(
                    Task.of("t", "train", "toy"),
                    EpisodeStart.of("put a mug", Observation.text("A room.")));
    private static final int FAULTS = 5;

    @TempDir private Path dir;

    private final Map<JsonNode, Integer> asked = new ConcurrentHashMap<>();
    private Optional<StubServer> server = Optional.empty();

    @AfterEach
    void close() {
        server.ifPresent(StubServer::close);
    }

    /** Every request fails in every way before it is answered. */
    private String faulty(Function<StubServer.Received, StubServer.Reply> good) {
        return serve(
                r -> {
                    int before = asked.merge(r.body(), 1, Integer::sum) - 1;
                    return before < FAULTS ? fault(before) : good.apply(r);
                });
    }

    private String serve(Function<StubServer.Received, StubServer.Reply> answers) {
        server.ifPresent(StubServer::close);
        server = Optional.of(new StubServer(answers));
        return server.get().url();
    }

    private StubServer.Reply fault(int which) {
        return switch (which) {
            case 0 ->
                    exchange -> {
                        exchange.getResponseHeaders().set("Retry-After", "0");
                        exchange.sendResponseHeaders(429, -1);
                    };
            case 1 -> exchange -> exchange.sendResponseHeaders(503, -1);
            case 2 -> StubServer.json("{'choices': [{'message': ");
            case 3 -> StubServer.reset();
            default -> server.orElseThrow().slowBody();
        };
    }

    /** Attempts are many: on a busy machine a good answer may be late as well. */
    private static ServerConfig config(String url, int attempts) {
        return new ServerConfig(
                url,
                Dialect.VLLM,
                Optional.empty(),
                Optional.empty(),
                4,
                0,
                Duration.ofMillis(attempts == 1 ? 60_000 : 500),
                Duration.ofMinutes(10),
                attempts,
                Duration.ZERO);
    }

    private void assertEveryFaultWasMet() {
        assertTrue(asked.size() > 1, "several requests");
        asked.forEach((body, times) -> assertTrue(times > FAULTS, body::toString));
    }

    private static StubServer.Reply seed(StubServer.Received received) {
        String seed = received.body().path("seed").asText();
        return StubServer.json(
                "{'choices': [{'message': {'content': 'ACTION: go " + seed + "'}}]}");
    }

    private static List<Decision> decide(String url, int attempts) {
        try (Policy policy =
                new OpenAiPolicyProvider()
                        .create(
                                OpenAiPolicyConfig.of(config(url, attempts)),
                                null,
                                RunContext.ofSeed(1))) {
            return policy.decide(
                            List.of(
                                    DecisionRequest.of(
                                            STATE, new EpisodeId("t", 1), 6, RandomSource.of(5))))
                    .get(0);
        }
    }

    @Test
    void aPolicyDecidesAsIfNothingHadHappened() {
        List<Decision> expected = decide(serve(FaultyServerTest::seed), 50);
        assertEquals(expected.toString(), decide(faulty(FaultyServerTest::seed), 50).toString());
        assertEveryFaultWasMet();
    }

    @Test
    void aRewardModelScoresAsIfNothingHadHappened() {
        String url = faulty(r -> StubServer.json("{'data': [{'probs': [0.25]}]}"));
        OpenAiRewardConfig asking = OpenAiRewardConfig.of(config(url, 50), ScoreEndpoint.CLASSIFY);
        try (RewardModel judge =
                new OpenAiRewardProvider().create(asking, null, RunContext.ofSeed(1))) {
            ScoringRequest request =
                    ScoringRequest.of(
                            STATE,
                            new EpisodeId("t", 1),
                            List.of(Decision.of("look"), Decision.of("take mug")));
            assertArrayEquals(new double[] {0.25, 0.25}, judge.score(List.of(request)).get(0));
        }
        assertEveryFaultWasMet();
    }

    private List<String> generate(String url) {
        OpenAiEngineConfig config = new OpenAiEngineConfig(config(url, 50), Optional.empty());
        try (LanguageModel model =
                new OpenAiEngineProvider()
                        .create(config, RunContext.ofSeed(1))
                        .load(TinyModel.create(dir, "m"))) {
            return model
                    .generate(
                            List.of(
                                    GenerationRequest.of(
                                            new int[] {1, 4},
                                            6,
                                            Sampling.temperature(1, 5),
                                            RandomSource.of(1))))
                    .get(0)
                    .stream()
                    .map(Generation::tokens)
                    .map(t -> Arrays.toString(t.ids()) + Arrays.toString(t.logProbs()))
                    .toList();
        }
    }

    @Test
    void anEngineGeneratesAsIfNothingHadHappened() {
        StubVllm vllm = new StubVllm(TinyModel.vocabulary(TinyModel.create(dir, "m")));
        List<String> expected = generate(serve(vllm::answer));
        assertEquals(expected, generate(faulty(vllm::answer)));
        assertEveryFaultWasMet();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aFaultThatDoesNotPassIsAnErrorThatSaysWhereAndWhat(int which) {
        String url = serve(r -> fault(which));
        ServerException e = assertThrows(ServerException.class, () -> decide(url, 1));
        String what =
                List.of("status 429", "status 503", "JSON that cannot be read", "no answer")
                        .get(which);
        assertTrue(e.getMessage().startsWith(url + "/v1/chat/completions: " + what), e.toString());
        assertTrue(e.getMessage().contains("gave up after 1 attempts"), e.toString());
    }
}
