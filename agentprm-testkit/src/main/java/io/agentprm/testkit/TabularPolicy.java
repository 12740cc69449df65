package io.agentprm.testkit;

import io.agentprm.api.env.Action;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.TrainablePolicy;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.trajectory.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A policy around a {@link TabularModel}: the reply's text is the action. A reply that did not stop
 * or is empty has no action.
 */
public final class TabularPolicy implements TrainablePolicy {
    private final String id;
    private final TabularModel model;
    private final StateRenderer renderer;
    private final Sampling sampling;
    private final boolean constrained;

    private TabularPolicy(
            String id,
            TabularModel model,
            StateRenderer renderer,
            Sampling sampling,
            boolean constrained) {
        this.id = id;
        this.model = model;
        this.renderer = renderer;
        this.sampling = sampling;
        this.constrained = constrained;
    }

    /** A policy that says what it likes, at temperature 1 and with at most 4 tokens. */
    public static TabularPolicy of(String id, TabularModel model, StateRenderer renderer) {
        return new TabularPolicy(id, model, renderer, Sampling.temperature(1, 4), false);
    }

    /** The same policy with another way of sampling. */
    public TabularPolicy with(Sampling how) {
        return new TabularPolicy(id, model, renderer, how, constrained);
    }

    /** The same policy restricted to admissible actions, where the observation lists them. */
    public TabularPolicy constrained() {
        return new TabularPolicy(id, model, renderer, sampling, true);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public TabularModel model() {
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
        List<GenerationRequest> generations = requests.stream().map(this::request).toList();
        List<List<Decision>> result = new ArrayList<>(requests.size());
        for (List<Generation> replies : model.generate(generations)) {
            result.add(replies.stream().map(this::decision).toList());
        }
        return result;
    }

    private GenerationRequest request(DecisionRequest request) {
        GenerationRequest generation =
                GenerationRequest.of(
                        renderer.state(request.state()),
                        request.samples(),
                        request.sampling().orElse(sampling),
                        request.random());
        Optional<List<String>> admissible = request.state().observation().admissibleActions();
        return constrained && admissible.isPresent()
                ? generation.within(new WordConstraint(model.tokenizer(), admissible.get()))
                : generation;
    }

    private Decision decision(Generation generation) {
        String text = model.tokenizer().decode(generation.tokens().ids());
        boolean parsed = generation.stopped() && !text.isEmpty();
        Decision.Builder decision =
                Decision.builder(Action.text(parsed ? text : ""))
                        .text(text)
                        .tokens(generation.tokens());
        if (!parsed) {
            decision.parseFailure(
                    generation.stopped()
                            ? "the reply is empty"
                            : "the reply did not end within its limit");
        }
        return decision.build();
    }

    @Override
    public void close() {
        model.close();
    }
}
