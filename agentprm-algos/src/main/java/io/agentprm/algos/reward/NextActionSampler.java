package io.agentprm.algos.reward;

import io.agentprm.algos.train.Batches;
import io.agentprm.api.lm.LanguagePolicy;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.Progress;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws what the current policy would do in the states of trajectories, turn after turn, so that
 * its caches grow with them. Every draw is keyed by trajectory and turn: drawing again after an
 * interruption gives the same.
 */
final class NextActionSampler {
    /** Trajectories that are worked on together. */
    private static final int CHUNK = 64;

    private final LanguagePolicy policy;
    private final Sampling sampling;
    private final RunContext context;

    NextActionSampler(LanguagePolicy policy, double temperature, RunContext context) {
        this.policy = policy;
        this.sampling = new Sampling(temperature, 1, policy.sampling().maxNewTokens());
        this.context = context;
    }

    /** For each trajectory, one decision in the state before each of its turns but the first. */
    List<List<Decision>> sample(List<Trajectory> trajectories) {
        List<List<Decision>> decisions = new ArrayList<>();
        try (Progress progress = context.progress("next actions", trajectories.size())) {
            for (List<Trajectory> chunk : Batches.ofCount(trajectories, CHUNK)) {
                context.cancellation().check();
                decisions.addAll(chunk(chunk));
                progress.advance(chunk.size());
            }
        }
        return decisions;
    }

    private List<List<Decision>> chunk(List<Trajectory> chunk) {
        List<List<State>> states = chunk.stream().map(Trajectory::states).toList();
        List<List<Decision>> decisions = new ArrayList<>();
        chunk.forEach(trajectory -> decisions.add(new ArrayList<>()));
        int longest = chunk.stream().mapToInt(Trajectory::length).max().orElse(0);
        for (int turn = 1; turn < longest; turn++) {
            List<Integer> asked = new ArrayList<>();
            List<DecisionRequest> requests = new ArrayList<>();
            for (int i = 0; i < chunk.size(); i++) {
                if (turn < chunk.get(i).length()) {
                    asked.add(i);
                    requests.add(
                            DecisionRequest.of(
                                            states.get(i).get(turn),
                                            episode(chunk, i),
                                            1,
                                            random(chunk.get(i)).derive(turn))
                                    .with(sampling));
                }
            }
            List<List<Decision>> answers = policy.decide(requests);
            for (int k = 0; k < answers.size(); k++) {
                decisions.get(asked.get(k)).add(answers.get(k).get(0));
            }
        }
        for (int i = 0; i < chunk.size(); i++) {
            policy.release(episode(chunk, i));
        }
        return decisions;
    }

    /** Episodes of different policies may bear the same number. */
    private static EpisodeId episode(List<Trajectory> chunk, int i) {
        return new EpisodeId(chunk.get(i).task().id(), i);
    }

    private RandomSource random(Trajectory trajectory) {
        return context.random()
                .derive("next-action")
                .derive(trajectory.policyId())
                .derive(trajectory.task().id())
                .derive(trajectory.episode());
    }
}
