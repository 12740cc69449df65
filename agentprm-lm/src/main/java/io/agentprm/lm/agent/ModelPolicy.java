package io.agentprm.lm.agent;

import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.LanguagePolicy;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.TokenConstraint;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.lm.text.ReplyFormat;
import io.agentprm.lm.text.TokenTrie;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Renders states, lets the model continue them, and parses the replies. The model keeps its
 * key-value cache from turn to turn under the name of the episode.
 *
 * @param <M> type of the model
 */
class ModelPolicy<M extends LanguageModel> implements LanguagePolicy {
    private final String id;
    private final M model;
    private final StateRenderer renderer;
    private final ReplyFormat format;
    private final Decoding decoding;
    private final Sampling sampling;

    ModelPolicy(
            String id,
            M model,
            StateRenderer renderer,
            ReplyFormat format,
            Decoding decoding,
            Sampling sampling) {
        this.id = id;
        this.model = model;
        this.renderer = renderer;
        this.format = format;
        this.decoding = decoding;
        this.sampling = sampling;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public M model() {
        return model;
    }

    @Override
    public StateRenderer renderer() {
        return renderer;
    }

    @Override
    public Sampling sampling() {
        return sampling;
    }

    @Override
    public List<List<Decision>> decide(List<DecisionRequest> requests) {
        List<Draws> draws = requests.stream().map(this::draws).toList();
        List<Draws> open = draws;
        for (int round = 0; !open.isEmpty(); round++) {
            List<GenerationRequest> prompts = new ArrayList<>(open.size());
            for (Draws some : open) {
                prompts.add(some.next(round));
            }
            List<List<Generation>> generated = model.generate(prompts);
            for (int i = 0; i < generated.size(); i++) {
                open.get(i).accept(generated.get(i));
            }
            open = open.stream().filter(some -> !some.complete()).toList();
        }
        return draws.stream().map(Draws::decisions).toList();
    }

    private Draws draws(DecisionRequest request) {
        return new Draws(
                this,
                request,
                renderer.state(request.state()),
                limited(request.sampling().orElse(sampling)));
    }

    Decoding decoding() {
        return decoding;
    }

    TokenConstraint within(List<String> actions) {
        return TokenTrie.ofActions(actions, format, model.tokenizer());
    }

    /** No reply may outgrow what the renderer keeps free for it. */
    private Sampling limited(Sampling wanted) {
        return new Sampling(
                wanted.temperature(),
                wanted.topP(),
                Math.min(wanted.maxNewTokens(), sampling.maxNewTokens()));
    }

    /** A reply that did not end has no action: half an action may be another one. */
    Decision decision(Generation generation) {
        String reply = model.tokenizer().decode(generation.tokens().ids());
        return generation.stopped()
                ? format.decision(reply, Optional.of(generation.tokens()))
                : format.unfinished(reply, generation.tokens());
    }

    @Override
    public void release(EpisodeId episode) {
        model.release(conversation(episode));
    }

    static String conversation(EpisodeId episode) {
        return episode.toString();
    }

    @Override
    public void close() {
        model.close();
    }
}
