package io.agentprm.engine.openai;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import io.agentprm.lm.agent.Reply;
import io.agentprm.lm.text.PlainTemplate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What each endpoint is sent, and what its scores mean. */
class RemoteRewardModelTest {
    private static final State STATE =
            State.initial(
                            Task.of("t", "train", "toy"),
                            EpisodeStart.of("put a mug", Observation.text("A room.")))
                    .next(Decision.of("look"), Observation.text("A mug."));

    private Optional<StubServer> server = Optional.empty();

    @AfterEach
    void close() {
        server.ifPresent(StubServer::close);
    }

    private RewardModel open(
            String answer,
            Dialect dialect,
            ScoreEndpoint endpoint,
            Optional<Integer> goodClass,
            TextApi api) {
        server.ifPresent(StubServer::close);
        server = Optional.of(new StubServer(r -> StubServer.json(answer)));
        return new OpenAiRewardProvider()
                .create(
                        config(server.get().url(), dialect, endpoint, goodClass, api),
                        null,
                        RunContext.ofSeed(1));
    }

    private static OpenAiRewardConfig config(
            String url,
            Dialect dialect,
            ScoreEndpoint endpoint,
            Optional<Integer> goodClass,
            TextApi api) {
        return new OpenAiRewardConfig(
                ServerConfig.of(url, dialect),
                endpoint,
                Optional.empty(),
                goodClass,
                api,
                Optional.empty(),
                PlainTemplate.standard(),
                Reply.PLAIN,
                0);
    }

    private RewardModel open(String answer, Dialect dialect, ScoreEndpoint endpoint) {
        return open(answer, dialect, endpoint, Optional.empty(), TextApi.COMPLETIONS);
    }

    private static double[] score(RewardModel model, String... actions) {
        try (model) {
            return model.score(
                            List.of(
                                    ScoringRequest.of(
                                            STATE,
                                            new EpisodeId("t", 1),
                                            List.of(actions).stream().map(Decision::of).toList())))
                    .get(0);
        }
    }

    private StubServer.Received received() {
        return server.orElseThrow().received().get(0);
    }

    @Test
    void poolingGivesTheHeadsOutputAsALogit() {
        RewardModel model =
                open("{'data': [{'data': [-2.5]}]}", Dialect.VLLM, ScoreEndpoint.POOLING);
        assertEquals(ScoreScale.LOGIT, model.scale());
        assertArrayEquals(new double[] {-2.5}, score(model, "take mug"));
        assertEquals("/pooling", received().path());
        assertEquals(
                "Your task is to: put a mug\nA room.>look\nA mug.>take mug",
                received().body().path("input").asText());
        assertEquals("false", received().body().path("use_activation").toString());
    }

    @Test
    void classifyGivesTheProbabilityOfTheGoodClass() {
        String two = "{'data': [{'label': 'x', 'probs': [0.3, 0.7], 'num_classes': 2}]}";
        RewardModel model =
                open(
                        two,
                        Dialect.VLLM,
                        ScoreEndpoint.CLASSIFY,
                        Optional.of(1),
                        TextApi.COMPLETIONS);
        assertEquals(ScoreScale.PROBABILITY, model.scale());
        assertArrayEquals(new double[] {0.7, 0.7}, score(model, "take mug", "look"));
        assertEquals("/classify", received().path());
        ServerException e =
                assertThrows(
                        ServerException.class,
                        () -> score(open(two, Dialect.VLLM, ScoreEndpoint.CLASSIFY), "look"));
        assertTrue(e.getMessage().contains("good-class"), e.getMessage());
    }

    @Test
    void scoreComparesStateAndReply() {
        RewardModel model = open("{'data': [{'score': 0.4}]}", Dialect.VLLM, ScoreEndpoint.SCORE);
        assertArrayEquals(new double[] {0.4}, score(model, "take mug"));
        JsonNode body = received().body();
        assertEquals("take mug", body.path("text_2").asText());
        assertEquals(
                "Your task is to: put a mug\nA room.>look\nA mug.>", body.path("text_1").asText());
    }

    @Test
    void chatSendsMessagesThatEndWithTheReply() {
        RewardModel model =
                open(
                        "{'data': [{'data': [1.0]}]}",
                        Dialect.VLLM,
                        ScoreEndpoint.POOLING,
                        Optional.empty(),
                        TextApi.CHAT);
        score(model, "take mug");
        JsonNode messages = received().body().path("messages");
        assertEquals(
                "{\"role\":\"assistant\",\"content\":\"take mug\"}", messages.get(3).toString());
        assertEquals("false", received().body().path("add_generation_prompt").toString());
    }

    @Test
    void sglangClassifiesRewardModelsByTheHeadsOutput() {
        RewardModel model = open("{'embedding': [3.5]}", Dialect.SGLANG, ScoreEndpoint.CLASSIFY);
        assertEquals(ScoreScale.LOGIT, model.scale());
        assertArrayEquals(new double[] {3.5}, score(model, "take mug"));
        assertTrue(received().body().path("text").asText().endsWith(">take mug"));
    }

    @Test
    void aScoreThatIsNoProbabilityOrNoNumberIsAnError() {
        assertThrows(
                ServerException.class,
                () ->
                        score(
                                open(
                                        "{'data': [{'probs': [1.5]}]}",
                                        Dialect.VLLM,
                                        ScoreEndpoint.CLASSIFY),
                                "look"));
        for (String none : List.of("null", "'NaN'", "1e999")) {
            assertThrows(
                    ServerException.class,
                    () ->
                            score(
                                    open(
                                            "{'data': [{'data': [" + none + "]}]}",
                                            Dialect.VLLM,
                                            ScoreEndpoint.POOLING),
                                    "look"),
                    none);
        }
    }

    @Test
    void combinationsThatNoServerHasAreRefused() {
        for (Dialect dialect : List.of(Dialect.SGLANG, Dialect.LLAMA_CPP)) {
            assertThrows(
                    IllegalArgumentException.class,
                    () ->
                            config(
                                    "http://h",
                                    dialect,
                                    ScoreEndpoint.CLASSIFY,
                                    Optional.empty(),
                                    TextApi.CHAT));
        }
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        OpenAiRewardConfig.of(
                                ServerConfig.of("http://h", Dialect.SGLANG),
                                ScoreEndpoint.POOLING));
        ServerException e =
                assertThrows(
                        ServerException.class,
                        () -> open("{}", Dialect.LLAMA_CPP, ScoreEndpoint.CLASSIFY));
        assertTrue(e.getMessage().contains("scores of a reward model"), e.getMessage());
    }
}
