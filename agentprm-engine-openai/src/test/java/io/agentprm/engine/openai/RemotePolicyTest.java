package io.agentprm.engine.openai;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import io.agentprm.lm.agent.Reply;
import io.agentprm.lm.text.PlainTemplate;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RemotePolicyTest {
    private static final Task TASK = Task.of("t", "train", "toy");
    private static final State START =
            State.initial(TASK, EpisodeStart.of("put a mug", Observation.text("A room.")));
    private static final State LATER =
            START.next(Decision.of("go to desk 1"), Observation.text("At desk 1."))
                    .next(Decision.of("look"), Observation.text("A mug."));
    private static final String LOOK =
            "{'choices': [{'message': {'content': 'ACTION: look'}, 'finish_reason': 'stop'}]}";

    private Optional<StubServer> server = Optional.empty();

    @AfterEach
    void close() {
        server.ifPresent(StubServer::close);
    }

    private StubServer stub(Function<StubServer.Received, StubServer.Reply> answers) {
        StubServer stub = new StubServer(answers);
        server = Optional.of(stub);
        return stub;
    }

    private StubServer stub(String answer) {
        return stub(r -> StubServer.json(answer));
    }

    private static ServerConfig config(String url, Dialect dialect) {
        return new ServerConfig(
                url,
                dialect,
                Optional.of("m"),
                Optional.empty(),
                4,
                0,
                Duration.ofMinutes(5),
                Duration.ofMinutes(10),
                1,
                Duration.ZERO);
    }

    private static Policy chat(ServerConfig config) {
        return open(OpenAiPolicyConfig.of(config));
    }

    private static OpenAiPolicyConfig config(
            ServerConfig server, TextApi api, int turns, Samples samples, boolean tokenIds) {
        return new OpenAiPolicyConfig(
                server,
                api,
                Optional.of("Play."),
                PlainTemplate.standard(),
                Reply.PLAIN,
                0.7,
                9,
                List.of(),
                turns,
                samples,
                tokenIds);
    }

    private static Policy open(OpenAiPolicyConfig config) {
        RemotePolicy.requireCapabilities(config);
        return new RemotePolicy(
                config, Server.open(config.server(), new Limits(), RunContext.ofSeed(1)));
    }

    private static DecisionRequest request(State state, int samples) {
        return DecisionRequest.of(state, new EpisodeId("t", 1), samples, RandomSource.of(5));
    }

    private static List<Decision> decide(Policy policy, State state, int samples) {
        try (policy) {
            return policy.decide(List.of(request(state, samples))).get(0);
        }
    }

    @Test
    void aStateBecomesMessagesWithRoles() {
        StubServer stub = stub("{'choices': [{'message': {'content': 'look'}}]}");
        decide(
                open(
                        config(
                                config(stub.url(), Dialect.VLLM),
                                TextApi.CHAT,
                                0,
                                Samples.SEEDED,
                                false)),
                LATER,
                1);
        StubServer.Received received = stub.received().get(0);
        assertEquals("/v1/chat/completions", received.path());
        assertEquals(
                "[{\"role\":\"system\",\"content\":\"Play.\"},{\"role\":\"user\",\"content\":\"Your"
                        + " task is to: put a mug\\n"
                        + "A room.\"},{\"role\":\"assistant\",\"content\":\"go to desk"
                        + " 1\"},{\"role\":\"user\",\"content\":\"At desk 1.\"},"
                        + "{\"role\":\"assistant\",\"content\":\"look\"},{\"role\":\"user\",\"content\":\"A"
                        + " mug.\"}]",
                received.body().path("messages").toString());
        assertEquals("m", received.body().path("model").asText());
        assertEquals(0.7, received.body().path("temperature").asDouble());
        assertEquals(9, received.body().path("max_tokens").asInt());
    }

    @Test
    void aStateBecomesATextThatIsContinuedToTheEndOfALine() {
        StubServer stub = stub("{'choices': [{'text': ' take mug', 'finish_reason': 'stop'}]}");
        List<Decision> decisions =
                decide(
                        open(
                                config(
                                        config(stub.url(), Dialect.VLLM),
                                        TextApi.COMPLETIONS,
                                        0,
                                        Samples.SEEDED,
                                        false)),
                        LATER,
                        1);
        JsonNode body = stub.received().get(0).body();
        assertEquals("/v1/completions", stub.received().get(0).path());
        assertEquals(
                "Play.\nYour task is to: put a mug\nA room.>go to desk 1\nAt desk 1.>look\nA mug.>",
                body.path("prompt").asText());
        assertEquals("[\"\\n\"]", body.path("stop").toString());
        assertEquals("take mug", decisions.get(0).action().text());
    }

    @Test
    void onlyTheLatestTurnsAreToldWhereAskedFor() {
        StubServer stub = stub("{'choices': [{'message': {'content': 'look'}}]}");
        decide(
                open(
                        config(
                                config(stub.url(), Dialect.VLLM),
                                TextApi.CHAT,
                                1,
                                Samples.SEEDED,
                                false)),
                LATER,
                1);
        JsonNode messages = stub.received().get(0).body().path("messages");
        assertEquals(4, messages.size());
        assertEquals(
                "Your task is to: put a mug\nAt desk 1.",
                messages.get(1).path("content").asText(),
                "the task is always told");
    }

    @Test
    void everySampleIsARequestWithASeedOfItsOwn() {
        StubServer stub = stub(LOOK);
        assertEquals(3, decide(chat(config(stub.url(), Dialect.VLLM)), START, 3).size());
        Set<Integer> seeds = new HashSet<>();
        for (StubServer.Received received : stub.received()) {
            assertEquals(1, received.body().path("n").asInt());
            seeds.add(received.body().path("seed").asInt());
        }
        Set<Integer> expected = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            expected.add(Seeds.of(RandomSource.of(5).derive(i)));
        }
        assertEquals(expected, seeds);
    }

    @Test
    void withoutSeedsAllSamplesOfAStateAreOneRequest() {
        StubServer stub =
                stub(
                        "{'choices': [{'message': {'content': 'look'}}, {'message': {'content':"
                                + " 'wait'}}]}");
        List<Decision> decisions =
                decide(
                        open(
                                config(
                                        config(stub.url(), Dialect.OPENAI),
                                        TextApi.CHAT,
                                        0,
                                        Samples.TOGETHER,
                                        false)),
                        START,
                        2);
        assertEquals("[look, wait]", decisions.toString());
        assertEquals(1, stub.received().size());
        assertEquals(2, stub.received().get(0).body().path("n").asInt());
        assertFalse(stub.received().get(0).body().has("seed"));
    }

    @Test
    void withoutSeedsSamplesMayBeRequestsOfTheirOwn() {
        StubServer stub = stub(LOOK);
        List<Decision> decisions =
                decide(
                        open(
                                config(
                                        config(stub.url(), Dialect.OPENAI),
                                        TextApi.CHAT,
                                        0,
                                        Samples.APART,
                                        false)),
                        START,
                        3);
        assertEquals(3, decisions.size());
        assertEquals(3, stub.received().size());
        assertFalse(stub.received().get(0).body().has("seed"));
    }

    @Test
    void aServerThatDoesNotKnowNIsFoundOut() {
        StubServer stub = stub(LOOK);
        ServerException e =
                assertThrows(
                        ServerException.class,
                        () ->
                                decide(
                                        open(
                                                config(
                                                        config(stub.url(), Dialect.OPENAI),
                                                        TextApi.CHAT,
                                                        0,
                                                        Samples.TOGETHER,
                                                        false)),
                                        START,
                                        3));
        assertTrue(e.getMessage().contains("say samples: apart"), e.getMessage());
    }

    @Test
    void aRequestsOwnSamplingGoesBeforeButNoReplyGetsLonger() {
        StubServer stub = stub(LOOK);
        try (Policy policy = chat(config(stub.url(), Dialect.VLLM))) {
            policy.decide(List.of(request(START, 1).with(new Sampling(0.1, 0.5, 1000))));
        }
        JsonNode body = stub.received().get(0).body();
        assertEquals(0.1, body.path("temperature").asDouble());
        assertEquals(0.5, body.path("top_p").asDouble());
        assertEquals(256, body.path("max_tokens").asInt());
    }

    @Test
    void aReplyThatWasCutHasNoAction() {
        StubServer stub =
                stub(
                        "{'choices': [{'message': {'content': 'ACTION: go to desk 1'},"
                                + " 'finish_reason': 'length'}]}");
        Decision decision = decide(chat(config(stub.url(), Dialect.VLLM)), START, 1).get(0);
        assertEquals("", decision.action().text());
        assertEquals("ACTION: go to desk 1", decision.text());
        assertTrue(decision.parseFailure().orElseThrow().contains("256 tokens"));
    }

    /** What a reasoning parser gives while the reply has not begun. */
    @Test
    void aReplyWithoutContentHasNoAction() {
        for (String end : List.of("length", "stop")) {
            StubServer stub =
                    stub(
                            "{'choices': [{'message': {'content': null, 'reasoning_content':"
                                    + " 'Hm.'}, 'finish_reason': '"
                                    + end
                                    + "'}]}");
            Decision decision = decide(chat(config(stub.url(), Dialect.VLLM)), START, 1).get(0);
            stub.close();
            assertEquals("", decision.action().text());
            assertTrue(decision.parseFailure().isPresent(), end);
        }
    }

    @Test
    void anAnswerWithoutAPlaceForContentIsAnError() {
        StubServer stub = stub("{'choices': [{'message': {}, 'finish_reason': 'stop'}]}");
        Policy policy = chat(config(stub.url(), Dialect.VLLM));
        assertTrue(
                assertThrows(ServerException.class, () -> decide(policy, START, 1))
                        .getMessage()
                        .contains("choices[0].message.content"));
    }

    @Test
    void tokensComeAlongWhereAskedForAndOffered() {
        StubServer stub =
                stub(
                        "{'choices': [{'message': {'content': 'look'}, 'finish_reason': 'stop',"
                                + " 'logprobs': {'content': [{'token': 'token_id:5', 'logprob':"
                                + " -0.5}, {'token': 'token_id:2', 'logprob': -0.1}]}}]}");
        Decision decision =
                decide(
                                open(
                                        config(
                                                config(stub.url(), Dialect.VLLM),
                                                TextApi.CHAT,
                                                0,
                                                Samples.SEEDED,
                                                true)),
                                START,
                                1)
                        .get(0);
        assertArrayEquals(new int[] {5, 2}, decision.tokens().orElseThrow().ids());
        assertArrayEquals(new double[] {-0.5, -0.1}, decision.tokens().orElseThrow().logProbs());
        JsonNode body = stub.received().get(0).body();
        assertTrue(body.path("logprobs").asBoolean());
        assertTrue(body.path("return_tokens_as_token_ids").asBoolean());
    }

    @Test
    void wrongAnswersAreErrorsThatNameThePlace() {
        for (String[] wrong :
                new String[][] {
                    {"{'choices': []}", "1 elements in choices"},
                    {"{'choices': [{'message': {'content': null}}]}", "choices[0].message.content"},
                    {"{'choices': [{}, {}]}", "1 elements in choices, but has 2"}
                }) {
            StubServer stub = stub(wrong[0]);
            ServerException e =
                    assertThrows(
                            ServerException.class,
                            () -> decide(chat(config(stub.url(), Dialect.VLLM)), START, 1));
            assertTrue(e.getMessage().contains(wrong[1]), e.getMessage());
            stub.close();
        }
    }

    @Test
    void theFirstRequestThatFailsIsTheErrorWhateverComesFirst() {
        StubServer stub =
                stub(
                        r ->
                                r.body().toString().contains("A mug.")
                                        ? exchange -> exchange.sendResponseHeaders(400, -1)
                                        : exchange -> exchange.sendResponseHeaders(404, -1));
        try (Policy policy = chat(config(stub.url(), Dialect.VLLM))) {
            ServerException e =
                    assertThrows(
                            ServerException.class,
                            () -> policy.decide(List.of(request(LATER, 3), request(START, 3))));
            assertTrue(e.getMessage().contains("status 400"), e.getMessage());
        }
    }

    @Test
    void whatTheServerCannotDoIsRefusedBeforeARun() {
        ServerException seeds =
                assertThrows(
                        ServerException.class,
                        () ->
                                new OpenAiPolicyProvider()
                                        .create(
                                                OpenAiPolicyConfig.of(
                                                        config("http://h", Dialect.OPENAI)),
                                                null,
                                                RunContext.ofSeed(1)));
        assertTrue(
                seeds.getMessage().contains("say samples: together or apart"), seeds.getMessage());
        assertThrows(
                ServerException.class,
                () ->
                        open(
                                config(
                                        config("http://h", Dialect.SGLANG),
                                        TextApi.CHAT,
                                        0,
                                        Samples.SEEDED,
                                        true)));
    }

    @Test
    void aClosedPolicyRefuses() {
        StubServer stub = stub(LOOK);
        Policy policy = chat(config(stub.url(), Dialect.VLLM));
        policy.close();
        assertThrows(ServerException.class, () -> policy.decide(List.of(request(START, 1))));
    }
}
