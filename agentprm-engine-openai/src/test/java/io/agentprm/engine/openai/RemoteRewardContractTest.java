package io.agentprm.engine.openai;

import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.run.RunContext;
import io.agentprm.testkit.RewardModelContract;
import org.junit.jupiter.api.AfterEach;

/** The reward model keeps the contract of reward models, on a server that scores by length. */
class RemoteRewardContractTest extends RewardModelContract {
    private final StubServer server =
            new StubServer(
                    r ->
                            StubServer.json(
                                    "{'data': [{'data': ["
                                            + (r.body().path("input").asText().length() - 50) / 7.0
                                            + "]}]}"));

    @Override
    protected RewardModel openRewardModel() {
        return new OpenAiRewardProvider()
                .create(
                        OpenAiRewardConfig.of(
                                ServerConfig.of(server.url(), Dialect.VLLM), ScoreEndpoint.POOLING),
                        null,
                        RunContext.ofSeed(1));
    }

    @AfterEach
    void stop() {
        server.close();
    }
}
