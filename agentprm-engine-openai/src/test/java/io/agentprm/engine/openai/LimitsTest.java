package io.agentprm.engine.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A run makes a policy for each worker; what a server may be asked does not grow with them. */
class LimitsTest {
    private static final State STATE =
            State.initial(
                    Task.of("t", "train", "toy"),
                    EpisodeStart.of("put a mug", Observation.text("A room.")));
    private static final StubServer.Reply LOOK =
            StubServer.json("{'choices': [{'message': {'content': 'ACTION: look'}}]}");

    private final AtomicInteger atATime = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final StubServer server = new StubServer(r -> this::look);
    private final OpenAiPolicyProvider provider = new OpenAiPolicyProvider();

    @AfterEach
    void stop() {
        server.close();
    }

    /** Stays long enough for another request to come, should one be on its way. */
    private void look(HttpExchange exchange) throws IOException {
        most.accumulateAndGet(atATime.incrementAndGet(), Math::max);
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        atATime.decrementAndGet();
        LOOK.to(exchange);
    }

    private Policy policy(int perMinute) {
        ServerConfig config =
                new ServerConfig(
                        server.url(),
                        Dialect.VLLM,
                        Optional.empty(),
                        Optional.empty(),
                        1,
                        perMinute,
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(30),
                        1,
                        Duration.ZERO);
        return provider.create(OpenAiPolicyConfig.of(config), null, RunContext.ofSeed(1));
    }

    private static int decide(Policy policy, int samples) {
        return policy.decide(
                        List.of(
                                DecisionRequest.of(
                                        STATE, new EpisodeId("t", 1), samples, RandomSource.of(5))))
                .get(0)
                .size();
    }

    @Test
    void policiesOfOneServerShareItsPlaces() {
        try (Policy first = policy(0);
                Policy second = policy(0)) {
            List<CompletableFuture<Integer>> both = new ArrayList<>();
            for (Policy policy : List.of(first, second)) {
                both.add(CompletableFuture.supplyAsync(() -> decide(policy, 5)));
            }
            assertEquals(10, both.stream().mapToInt(CompletableFuture::join).sum());
        }
        assertEquals(1, most.get(), "requests at a time");
    }

    /** Of one request a minute the second one's turn comes after the deadline. */
    @Test
    void policiesOfOneServerShareItsPace() {
        try (Policy first = policy(1);
                Policy second = policy(1)) {
            decide(first, 1);
            ServerException e = assertThrows(ServerException.class, () -> decide(second, 1));
            assertTrue(e.getMessage().contains("at 1 requests a minute"), e.getMessage());
        }
        assertEquals(1, server.received().size());
    }
}
