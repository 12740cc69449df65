package io.agentprm.algos.reward;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.train.Batches;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.optim.Imitation;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Trajectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * As many trajectories of the expert as of the learner, and among the latter equally many of every
 * policy so far (as the released code balances its directories): the reward player plays against
 * all past learners, not against the last one. Aborted episodes are left out.
 */
record Sides(List<Trajectory> expert, List<Trajectory> learner) {
    /** Draws as many as there are of the scarcest. */
    static Sides balanced(Imitation imitation, RandomSource random) {
        List<Trajectory> expert = usable(imitation.demonstrations());
        Map<String, List<Trajectory>> policies =
                usable(imitation.rollouts()).stream()
                        .collect(
                                Collectors.groupingBy(
                                        Trajectory::policyId, TreeMap::new, Collectors.toList()));
        int scarcest = policies.values().stream().mapToInt(List::size).min().orElse(0);
        int share = policies.isEmpty() ? 0 : Math.min(scarcest, expert.size() / policies.size());
        if (share == 0) {
            throw new AlgorithmException(
                    "learning from demonstrations needs as many of them as there are policies so"
                            + " far, and rollouts of each: there are "
                            + expert.size()
                            + " demonstrations and "
                            + policies.size()
                            + " policies with rollouts, aborted episodes left out");
        }
        List<Trajectory> learner = new ArrayList<>();
        policies.forEach(
                (id, rollouts) ->
                        learner.addAll(draw(rollouts, share, random.derive("learner").derive(id))));
        return new Sides(draw(expert, share * policies.size(), random.derive("expert")), learner);
    }

    private static List<Trajectory> usable(List<Trajectory> trajectories) {
        return trajectories.stream()
                .filter(t -> t.length() > 0 && !(t.end() instanceof EpisodeEnd.Aborted))
                .toList();
    }

    private static List<Trajectory> draw(List<Trajectory> from, int number, RandomSource random) {
        return Arrays.stream(Batches.permutation(from.size(), random))
                .limit(number)
                .mapToObj(from::get)
                .toList();
    }
}
