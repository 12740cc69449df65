package io.agentprm.cli.game;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import io.agentprm.core.RunException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A reward model that judges actions and a policy that proposes one, each of them optional.
 * Thread-safe: they are asked by one thread at a time.
 */
public final class Advisers implements AutoCloseable {
    private final Optional<RewardModel> judge;
    private final Optional<Policy> policy;
    private final RandomSource random;

    /**
     * Brings them together; they are closed with this.
     *
     * @param random what the policy's proposals are drawn from
     */
    public Advisers(Optional<RewardModel> judge, Optional<Policy> policy, RandomSource random) {
        this.judge = judge;
        this.policy = policy;
        this.random = random;
    }

    /** Nobody. */
    public static Advisers none() {
        return new Advisers(Optional.empty(), Optional.empty(), RandomSource.of(0));
    }

    /** Who they are and what the scores mean, in words; empty text if there is nobody. */
    public String inWords() {
        List<String> words = new ArrayList<>();
        judge.ifPresent(
                j ->
                        words.add(
                                (j.probability(0).isPresent()
                                                ? "Scores by "
                                                : "Scores, which are no probabilities, by ")
                                        + j.id()));
        policy.ifPresent(p -> words.add("proposals by " + p.id()));
        return String.join("; ", words);
    }

    /** Advice on a state; what goes wrong with an adviser stands in it. */
    public synchronized Advice on(State state, EpisodeId episode) {
        List<String> actions =
                new ArrayList<>(state.observation().admissibleActions().orElse(List.of()));
        List<String> trouble = new ArrayList<>();
        Optional<Decision> proposal = Optional.empty();
        double[] scores = {};
        try {
            proposal = policy.map(p -> propose(p, state, episode));
            proposal.map(decision -> decision.action().text())
                    .filter(action -> !action.isEmpty() && !actions.contains(action))
                    .ifPresent(actions::add);
        } catch (RuntimeException e) {
            trouble.add("no proposal: " + reason(e));
        }
        try {
            scores = judge.map(j -> score(j, state, episode, actions)).orElse(scores);
        } catch (RuntimeException e) {
            trouble.add("no scores: " + reason(e));
        }
        return new Advice(
                choices(actions, proposal, scores),
                proposal,
                trouble.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", trouble)));
    }

    /** Policies and reward models are plugins: what they throw ends no game. */
    private static String reason(RuntimeException e) {
        return e instanceof AgentPrmException ? e.getMessage() : e.toString();
    }

    private Decision propose(Policy asked, State state, EpisodeId episode) {
        RandomSource stream =
                random.derive(episode.task())
                        .derive(episode.episode())
                        .derive("decision")
                        .derive(state.turn());
        return asked.decide(List.of(DecisionRequest.of(state, episode, 1, stream))).get(0).get(0);
    }

    private static double[] score(
            RewardModel asked, State state, EpisodeId episode, List<String> actions) {
        if (actions.isEmpty()) {
            return new double[0];
        }
        List<Decision> decisions = actions.stream().map(Decision::of).toList();
        double[] scores = asked.score(List.of(ScoringRequest.of(state, episode, decisions))).get(0);
        for (int i = 0; i < scores.length; i++) {
            if (!Double.isFinite(scores[i])) {
                throw new RunException(
                        asked.id() + " scores '" + actions.get(i) + "' with " + scores[i]);
            }
        }
        return scores;
    }

    private List<Choice> choices(
            List<String> actions, Optional<Decision> proposal, double[] scores) {
        Optional<String> proposed = proposal.map(decision -> decision.action().text());
        List<Choice> choices = new ArrayList<>();
        for (int i = 0; i < actions.size(); i++) {
            OptionalDouble score =
                    scores.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(scores[i]);
            choices.add(
                    new Choice(
                            actions.get(i),
                            score,
                            score.isPresent()
                                    ? judge.orElseThrow().probability(score.getAsDouble())
                                    : score,
                            proposed.equals(Optional.of(actions.get(i)))));
        }
        return choices;
    }

    /** The episode is over: whatever is cached for it may go. */
    public synchronized void release(EpisodeId episode) {
        judge.ifPresent(j -> j.release(episode));
        policy.ifPresent(p -> p.release(episode));
    }

    @Override
    public synchronized void close() {
        try {
            judge.ifPresent(RewardModel::close);
        } finally {
            policy.ifPresent(Policy::close);
        }
    }
}
