package io.agentprm.lm.agent;

import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.trajectory.Decision;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The replies to one state, drawn in as many rounds as {@link Decoding} asks for. */
final class Draws {
    /** Rounds of free replies before what is still missing is restricted. */
    private static final int FREE_ROUNDS = 3;

    /**
     * Draws for a missing reply in the second round; the third makes twice as many. Samples of one
     * prompt that say the same cost an engine little more than one.
     */
    private static final int DRAWS = 4;

    private final ModelPolicy<?> policy;
    private final DecisionRequest request;
    private final int[] prompt;
    private final Sampling sampling;
    private final List<String> listed;
    private final Set<String> admissible;
    private final List<Decision> decisions = new ArrayList<>();
    private boolean anything;

    /**
     * Replies to be drawn.
     *
     * @param prompt the rendered state
     */
    Draws(ModelPolicy<?> policy, DecisionRequest request, int[] prompt, Sampling sampling) {
        this.policy = policy;
        this.request = request;
        this.prompt = prompt;
        this.sampling = sampling;
        this.listed = request.state().observation().admissibleActions().orElse(List.of());
        this.admissible = new HashSet<>(listed);
    }

    /** What is to be drawn in a round, from 0. */
    GenerationRequest next(int round) {
        int missing = request.samples() - decisions.size();
        int freeRounds = sampling.temperature() == 0 ? 1 : FREE_ROUNDS;
        boolean restricted = policy.decoding() == Decoding.CONSTRAINED || round >= freeRounds;
        anything = restricted || policy.decoding() == Decoding.FREE || listed.isEmpty();
        GenerationRequest drawn =
                GenerationRequest.of(
                                prompt,
                                anything ? missing : missing * Math.max(1, DRAWS * round),
                                sampling,
                                round == 0
                                        ? request.random()
                                        : request.random().derive("round").derive(round))
                        .in(ModelPolicy.conversation(request.episode()));
        return restricted && !listed.isEmpty() ? drawn.within(policy.within(listed)) : drawn;
    }

    /** Keeps what is admissible, as many as are wanted. */
    void accept(List<Generation> generations) {
        for (Generation generation : generations) {
            Decision decision = policy.decision(generation);
            if (!complete() && (anything || admissible.contains(decision.action().text()))) {
                decisions.add(decision);
            }
        }
    }

    boolean complete() {
        return decisions.size() == request.samples();
    }

    List<Decision> decisions() {
        return List.copyOf(decisions);
    }
}
