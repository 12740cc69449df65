package io.agentprm.algos.optim;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.train.Batches;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Batches of prompts without end: trajectories in an order that is new in every round, some turns
 * of each. The same seed gives the same batches, so a resumed run skips to where it was.
 */
final class PromptStream {
    private final List<Trajectory> trajectories;
    private final OnlineDpoConfig config;
    private final RandomSource random;
    private int[] order = {};
    private int position;
    private int round;

    PromptStream(List<Trajectory> trajectories, OnlineDpoConfig config, RandomSource random) {
        this.trajectories = trajectories;
        this.config = config;
        this.random = random;
        if (IntStream.range(0, trajectories.size()).allMatch(i -> eligible(i).length == 0)) {
            throw new AlgorithmException(
                    "none of "
                            + trajectories.size()
                            + " trajectories has a state to reply to (choices only: "
                            + config.choicesOnly()
                            + ")");
        }
    }

    /**
     * The next batch; prompts of one trajectory follow each other in the order of their turns. No
     * trajectory is used twice in a batch, so few trajectories make smaller batches.
     */
    List<Prompt> next() {
        List<Prompt> batch = new ArrayList<>(config.promptsPerStep());
        Set<Integer> used = new HashSet<>();
        while (batch.size() < config.promptsPerStep()) {
            if (position == order.length) {
                order =
                        Batches.permutation(
                                trajectories.size(), random.derive("order").derive(round++));
                position = 0;
            }
            int trajectory = order[position];
            if (!used.add(trajectory)) {
                if (!batch.isEmpty()) {
                    return batch;
                }
                used.clear();
                continue;
            }
            position++;
            int room = config.promptsPerStep() - batch.size();
            for (int turn : draw(trajectory, room)) {
                batch.add(new Prompt(trajectory, turn));
            }
        }
        return batch;
    }

    private int[] draw(int trajectory, int room) {
        int[] turns = eligible(trajectory);
        int limit =
                config.promptsPerTrajectory() == 0 ? turns.length : config.promptsPerTrajectory();
        RandomSource own = random.derive("turns").derive(round).derive(trajectory);
        return Arrays.stream(Batches.permutation(turns.length, own))
                .limit(Math.min(room, limit))
                .map(i -> turns[i])
                .sorted()
                .toArray();
    }

    private int[] eligible(int index) {
        Trajectory trajectory = trajectories.get(index);
        if (trajectory.end() instanceof EpisodeEnd.Aborted) {
            return new int[0];
        }
        return IntStream.range(0, trajectory.length())
                .filter(t -> !config.choicesOnly() || isChoice(trajectory.turns().get(t)))
                .toArray();
    }

    private static boolean isChoice(Turn turn) {
        return turn.observation().admissibleActions().map(a -> a.size() > 1).orElse(true);
    }
}
