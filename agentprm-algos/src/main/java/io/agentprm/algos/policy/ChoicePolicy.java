package io.agentprm.algos.policy;

import io.agentprm.api.lm.LanguagePolicy;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.Metrics;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Candidate;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Samples N candidates per turn from another policy and executes the one that a chooser picks. With
 * N = 1 it is that policy. Closing it leaves the other policy open.
 */
final class ChoicePolicy implements Policy {
    private static final int TOKENS_IF_UNKNOWN = 256;

    private final String name;
    private final Policy policy;
    private final ChoiceConfig config;
    private final Chooser chooser;
    private final Metrics metrics;
    private long calls;

    ChoicePolicy(
            String name, Policy policy, ChoiceConfig config, Chooser chooser, Metrics metrics) {
        this.name = name;
        this.policy = policy;
        this.config = config;
        this.chooser = chooser;
        this.metrics = metrics;
    }

    @Override
    public String id() {
        return name + "-" + config.n() + "(" + policy.id() + ")";
    }

    @Override
    public List<List<Decision>> decide(List<DecisionRequest> requests) {
        if (config.n() == 1) {
            return policy.decide(requests);
        }
        List<DecisionRequest> inner = new ArrayList<>();
        for (DecisionRequest request : requests) {
            for (int i = 0; i < request.samples(); i++) {
                inner.add(
                        DecisionRequest.of(
                                        request.state(),
                                        request.episode(),
                                        config.n(),
                                        request.random().derive(i))
                                .with(sampling(request)));
            }
        }
        List<List<Decision>> samples = policy.decide(inner);
        List<Ballot> ballots = new ArrayList<>(inner.size());
        for (int i = 0; i < inner.size(); i++) {
            DecisionRequest request = inner.get(i);
            RandomSource random = request.random().derive("choice");
            ballots.add(Ballot.of(request.state(), request.episode(), random, samples.get(i)));
        }
        List<Choice> choices = chooser.choose(ballots);
        record(ballots);
        List<List<Decision>> result = new ArrayList<>(requests.size());
        int next = 0;
        for (DecisionRequest request : requests) {
            List<Decision> decisions = new ArrayList<>(request.samples());
            for (int i = 0; i < request.samples(); i++, next++) {
                decisions.add(decision(ballots.get(next), choices.get(next)));
            }
            result.add(decisions);
        }
        return result;
    }

    /**
     * How candidates are drawn: the configured temperature, everything else as without a choice.
     */
    private Sampling sampling(DecisionRequest request) {
        Sampling own =
                request.sampling()
                        .orElse(
                                policy instanceof LanguagePolicy language
                                        ? language.sampling()
                                        : Sampling.greedy(TOKENS_IF_UNKNOWN));
        return new Sampling(config.temperature(), own.topP(), own.maxNewTokens());
    }

    private static Decision decision(Ballot ballot, Choice choice) {
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < ballot.competing().size(); i++) {
            OptionalDouble score =
                    i < choice.scores().length && Double.isFinite(choice.scores()[i])
                            ? OptionalDouble.of(choice.scores()[i])
                            : OptionalDouble.empty();
            candidates.add(candidate(ballot.competing().get(i), score));
        }
        ballot.others().forEach(entry -> candidates.add(candidate(entry, OptionalDouble.empty())));
        return ballot.competing().get(choice.winner()).decision().toBuilder()
                .candidates(candidates)
                .build();
    }

    private static Candidate candidate(Ballot.Entry entry, OptionalDouble score) {
        return new Candidate(entry.decision().action().text(), entry.count(), score);
    }

    private void record(List<Ballot> ballots) {
        double distinct =
                ballots.stream()
                        .mapToInt(ballot -> ballot.competing().size() + ballot.others().size())
                        .average()
                        .orElse(0);
        metrics.record(name + ".distinct-candidates", calls++, distinct);
    }

    @Override
    public void release(EpisodeId episode) {
        policy.release(episode);
        chooser.release(episode);
    }
}
