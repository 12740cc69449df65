package io.agentprm.engine.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.env.Action;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.SampledTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks a server for replies in text. */
final class RemotePolicy implements Policy {
    private final OpenAiPolicyConfig config;
    private final Server server;
    private final Transcript transcript;

    RemotePolicy(OpenAiPolicyConfig config, Server server) {
        this.config = config;
        this.server = server;
        this.transcript = new Transcript(config);
    }

    /**
     * Refuses settings that the server cannot follow.
     *
     * @throws ServerException with what is missing and what to do
     */
    static void requireCapabilities(OpenAiPolicyConfig config) {
        Dialect dialect = config.server().dialect();
        if (config.samples() == Samples.SEEDED) {
            dialect.require(
                    Capability.SEEDS,
                    "samples: seeded",
                    "say samples: together or apart, and the run cannot be repeated to the letter");
        }
        if (config.tokenIds() && dialect != Dialect.VLLM) {
            throw new ServerException(
                    "token-ids: true is answered by vLLM only; leave it out, or use the engine"
                            + " openai");
        }
    }

    @Override
    public String id() {
        return config.server().model().orElse("openai-policy");
    }

    @Override
    public List<List<Decision>> decide(List<DecisionRequest> requests) {
        List<Server.Call> calls = new ArrayList<>();
        for (DecisionRequest request : requests) {
            int parts = parts(request);
            for (int i = 0; i < parts; i++) {
                RandomSource random = request.random().derive(i);
                calls.add(call(request, request.samples() / parts, random));
            }
        }
        List<JsonNode> answers = server.all(calls);
        List<List<Decision>> out = new ArrayList<>();
        int next = 0;
        for (DecisionRequest request : requests) {
            int parts = parts(request);
            List<Decision> decisions = new ArrayList<>();
            for (int i = 0; i < parts; i++) {
                decisions.addAll(decisions(answers.get(next++), request.samples() / parts));
            }
            out.add(List.copyOf(decisions));
        }
        return out;
    }

    /** Number of requests for one state. */
    private int parts(DecisionRequest request) {
        return config.samples() == Samples.TOGETHER ? 1 : request.samples();
    }

    private Server.Call call(DecisionRequest request, int samples, RandomSource random) {
        Sampling sampling =
                request.sampling()
                        .orElse(
                                Sampling.temperature(
                                        config.temperature(), config.maxReplyTokens()));
        ObjectNode body = server.body();
        transcript.write(request.state(), body);
        body.put("n", samples)
                .put("temperature", sampling.temperature())
                .put("top_p", sampling.topP())
                .put("max_tokens", Math.min(sampling.maxNewTokens(), config.maxReplyTokens()));
        if (config.samples() == Samples.SEEDED) {
            body.put("seed", Seeds.of(random));
        }
        if (!config.stops().isEmpty()) {
            config.stops().forEach(body.withArray("stop")::add);
        }
        if (config.tokenIds()) {
            body.put("return_tokens_as_token_ids", true);
            if (config.api() == TextApi.CHAT) {
                body.put("logprobs", true);
            } else {
                body.put("logprobs", 1);
            }
        }
        String path = config.api() == TextApi.CHAT ? "/v1/chat/completions" : "/v1/completions";
        return new Server.Call(path, body, random);
    }

    private List<Decision> decisions(JsonNode answer, int samples) {
        Reading choices = Reading.of(answer).at("choices");
        if (samples > 1 && choices.size() == 1) {
            throw new ServerException(
                    "the server gave one reply where "
                            + samples
                            + " were asked for: it does not know n; say samples: apart");
        }
        choices.list(samples);
        List<Decision> decisions = new ArrayList<>();
        for (int i = 0; i < samples; i++) {
            decisions.add(decision(choices.at(i)));
        }
        return decisions;
    }

    /** A reply that did not end has no action: half an action may be another one. */
    private Decision decision(Reading choice) {
        String text = config.api() == TextApi.CHAT ? content(choice) : choice.at("text").text();
        Optional<SampledTokens> tokens =
                config.tokenIds() ? Optional.of(tokens(choice)) : Optional.empty();
        if (choice.has("finish_reason") && choice.at("finish_reason").text().equals("length")) {
            Decision.Builder cut =
                    Decision.builder(Action.text(""))
                            .text(text)
                            .parseFailure(
                                    "the reply did not end within "
                                            + config.maxReplyTokens()
                                            + " tokens");
            tokens.ifPresent(cut::tokens);
            return cut.build();
        }
        return transcript.format().decision(text, tokens);
    }

    /**
     * A reply that ended without content was all reasoning, which some servers tell apart, or a
     * refusal.
     */
    private static String content(Reading choice) {
        Reading message = choice.at("message");
        return choice.has("finish_reason")
                ? message.textOrNone("content")
                : message.at("content").text();
    }

    private SampledTokens tokens(Reading choice) {
        Reading logProbs = choice.at("logprobs");
        if (config.api() == TextApi.COMPLETIONS) {
            return VllmTokens.tokens(logProbs);
        }
        Reading content = logProbs.at("content");
        int[] ids = new int[content.size()];
        double[] values = new double[ids.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = VllmTokens.id(content.at(i).at("token"));
            values[i] = content.at(i).at("logprob").number();
        }
        return TokenProtocol.tokens(ids, values);
    }

    @Override
    public void close() {
        server.close();
    }
}
