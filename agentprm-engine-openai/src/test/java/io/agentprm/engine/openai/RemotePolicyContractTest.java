package io.agentprm.engine.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.testkit.PolicyContract;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** The policy keeps the contract of policies, on a server that keeps to seeds. */
class RemotePolicyContractTest extends PolicyContract {
    private final StubServer server = new StubServer(r -> StubServer.json(reply(r.body())));

    /** One of three actions or chatter, by the seed and what was said last. */
    private static ObjectNode reply(JsonNode body) {
        JsonNode messages = body.path("messages");
        String last = messages.path(messages.size() - 1).path("content").asText();
        int drawn = RandomSource.of(body.path("seed").asLong()).derive(last).generator().nextInt(4);
        String text =
                List.of("ACTION: left", "REASON: well\nACTION:\nright", "ACTION: open", "Hm.")
                        .get(drawn);
        ObjectNode answer = Answers.MAPPER.createObjectNode();
        answer.putArray("choices")
                .addObject()
                .put("finish_reason", "stop")
                .putObject("message")
                .put("content", text);
        return answer;
    }

    @Override
    protected Policy openPolicy() {
        OpenAiPolicyConfig config =
                OpenAiPolicyConfig.of(ServerConfig.of(server.url(), Dialect.VLLM));
        return new RemotePolicy(
                config, Server.open(config.server(), new Limits(), RunContext.ofSeed(1)));
    }

    @AfterEach
    void stop() {
        server.close();
    }
}
