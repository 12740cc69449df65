package io.agentprm.engine.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Decision;
import java.util.ArrayList;
import java.util.List;

/** Asks a server for scores of texts, one request for each decision. */
final class RemoteRewardModel implements RewardModel {
    private final OpenAiRewardConfig config;
    private final Server server;
    private final Transcript transcript;

    RemoteRewardModel(OpenAiRewardConfig config, Server server) {
        this.config = config;
        this.server = server;
        this.transcript = new Transcript(config.texts());
    }

    @Override
    public String id() {
        return config.server().model().orElse("openai-reward");
    }

    @Override
    public ScoreScale scale() {
        return config.scale().orElseGet(() -> config.endpoint().scale(config.server().dialect()));
    }

    @Override
    public List<double[]> score(List<ScoringRequest> requests) {
        List<Server.Call> calls = new ArrayList<>();
        for (ScoringRequest request : requests) {
            for (Decision decision : request.decisions()) {
                calls.add(call(request, decision, RandomSource.of(calls.size())));
            }
        }
        List<JsonNode> answers = server.all(calls);
        List<double[]> out = new ArrayList<>();
        int next = 0;
        for (ScoringRequest request : requests) {
            double[] scores = new double[request.decisions().size()];
            for (int d = 0; d < scores.length; d++) {
                scores[d] = checked(score(answers.get(next++)));
            }
            out.add(scores);
        }
        return out;
    }

    private Server.Call call(ScoringRequest request, Decision decision, RandomSource random) {
        boolean sglang = config.server().dialect() == Dialect.SGLANG;
        ObjectNode body = sglang ? Answers.MAPPER.createObjectNode() : server.body();
        String reply = transcript.format().text(decision);
        String path =
                switch (config.endpoint()) {
                    case POOLING -> "/pooling";
                    case CLASSIFY -> "/classify";
                    case SCORE -> "/score";
                };
        if (config.endpoint() == ScoreEndpoint.SCORE) {
            body.put("text_1", transcript.text(request.state())).put("text_2", reply);
        } else if (config.api() == TextApi.CHAT) {
            transcript.write(request.state(), body);
            body.withArray("messages").addObject().put("role", "assistant").put("content", reply);
            body.put("add_generation_prompt", false);
        } else {
            body.put(sglang ? "text" : "input", transcript.text(request.state()) + reply);
        }
        if (config.endpoint() == ScoreEndpoint.POOLING) {
            VllmTokens.raw(body);
        }
        return new Server.Call(path, body, random);
    }

    private double score(JsonNode answer) {
        if (config.server().dialect() == Dialect.SGLANG) {
            return new SglangTokens().score(answer);
        }
        Reading one = Reading.of(answer).at("data").list(1).at(0);
        return switch (config.endpoint()) {
            case SCORE -> one.at("score").number();
            case POOLING -> ofClass(one.at("data"));
            case CLASSIFY -> ofClass(one.at("probs"));
        };
    }

    private double ofClass(Reading classes) {
        if (classes.size() != 1 && config.goodClass().isEmpty()) {
            throw new ServerException(
                    "the model has "
                            + classes.size()
                            + " classes; say in good-class which of them, from 0, means good");
        }
        return classes.at(config.goodClass().orElse(0)).number();
    }

    private double checked(double score) {
        if (scale() == ScoreScale.PROBABILITY && !(score >= 0 && score <= 1)) {
            throw new ServerException(
                    "the score "
                            + score
                            + " is no probability; say in scale what the model's scores are");
        }
        return score;
    }

    @Override
    public void close() {
        server.close();
    }
}
