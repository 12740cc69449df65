package io.agentprm.core.store;

import io.agentprm.api.env.Task;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.rollout.RolloutPlan;
import io.agentprm.api.rollout.Rollouts;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
import io.agentprm.core.files.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Collects a plan in fixed shards of tasks. Each is played as a plan of its own and written when it
 * is complete, as {@code shard-00012.jsonl.gz}; one that was interrupted is done again from its
 * start. So a collection that was interrupted equals an undisturbed one, byte by byte.
 */
public final class ShardedCollection {
    private final Path directory;
    private final int tasksPerShard;
    private final DurableFiles files;

    /**
     * Makes a collection.
     *
     * @param directory existing directory for the shards
     * @param tasksPerShard number of tasks of each shard, the last one's may be smaller
     */
    public ShardedCollection(Path directory, int tasksPerShard, DurableFiles files) {
        if (tasksPerShard < 1) {
            throw new IllegalArgumentException(
                    "a shard holds 1 task or more, not " + tasksPerShard);
        }
        this.directory = directory;
        this.tasksPerShard = tasksPerShard;
        this.files = files;
    }

    /** Plays what is not there yet, and returns all episodes in the plan's order. */
    public List<Trajectory> collect(Rollouts rollouts, Policy policy, RolloutPlan plan) {
        List<Trajectory> all = new ArrayList<>();
        for (int first = 0; first < plan.tasks().size(); first += tasksPerShard) {
            int end = Math.min(plan.tasks().size(), first + tasksPerShard);
            RolloutPlan part =
                    RolloutPlan.of(
                                    plan.tasks().subList(first, end),
                                    plan.episodesPerTask(),
                                    plan.random())
                            .startingAt(plan.firstEpisode())
                            .truncatedAfter(plan.turnBudget());
            all.addAll(shard(first / tasksPerShard, rollouts, policy, part));
        }
        return all;
    }

    /** Files of a collection in order. */
    public static List<Path> shards(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(
                            path ->
                                    path.getFileName()
                                            .toString()
                                            .matches("shard-[0-9]+\\.jsonl\\.gz"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new RunException(directory + ": cannot be listed: " + e, e);
        }
    }

    /** All episodes of a collection in order. */
    public static List<Trajectory> read(Path directory) {
        return TrajectoryFiles.trajectories().read(shards(directory), OnCorrupt.FAIL).items();
    }

    private List<Trajectory> shard(int number, Rollouts rollouts, Policy policy, RolloutPlan part) {
        Path file = directory.resolve(String.format(Locale.ROOT, "shard-%05d.jsonl.gz", number));
        if (Files.notExists(file)) {
            TrajectoryFiles.trajectories().write(file, rollouts.collect(policy, part), files);
        }
        // Read back in any case: what goes on from here is what a resumed run would see.
        List<Trajectory> episodes = TrajectoryFiles.trajectories().read(file);
        if (!episodes.stream().map(Trajectory::id).toList().equals(expected(part))) {
            throw new StoreException(
                    file,
                    0,
                    "holds other episodes than the plan asks for; delete it to play them again");
        }
        return episodes;
    }

    private static List<EpisodeId> expected(RolloutPlan plan) {
        List<EpisodeId> ids = new ArrayList<>();
        for (Task task : plan.tasks()) {
            for (int i = 0; i < plan.episodesPerTask(); i++) {
                ids.add(new EpisodeId(task.id(), plan.firstEpisode() + i));
            }
        }
        return ids;
    }
}
