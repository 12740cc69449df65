package io.agentprm.core.pipeline;

import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.Task;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.rollout.RolloutPlan;
import io.agentprm.api.run.Progress;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
import io.agentprm.core.rollout.RolloutConfig;
import io.agentprm.core.rollout.RolloutRunner;
import io.agentprm.core.store.TrajectoryFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Plays collections in fixed shards of tasks, several at a time, each with a policy of its own. A
 * shard is kept as soon as it is played; one that a kill interrupts is played again from its start.
 * The number of workers changes no result.
 */
final class ShardedRollouts {
    /** Tasks of a shard of an evaluation. */
    static final int EVALUATION_SHARD = 32;

    private final Environment environment;
    private final Stages stages;
    private final RolloutConfig runner;
    private final int workers;

    ShardedRollouts(Environment environment, Stages stages, RolloutConfig runner, int workers) {
        this.environment = environment;
        this.stages = stages;
        this.runner = runner;
        this.workers = workers;
    }

    /**
     * A collection to play.
     *
     * @param stage its stage's name
     * @param label what the progress bar says
     * @param shardTasks tasks of a shard; all their episodes are played together
     */
    record Job(
            String stage,
            String label,
            List<Task> tasks,
            int episodes,
            int shardTasks,
            RandomSource random) {
        int shards() {
            return (tasks.size() + shardTasks - 1) / shardTasks;
        }

        List<Task> tasks(int shard) {
            int from = shard * shardTasks;
            return tasks.subList(from, Math.min(tasks.size(), from + shardTasks));
        }

        static Path file(Path directory, int shard) {
            return directory.resolve(
                    String.format(Locale.ROOT, "trajectories-%05d.jsonl.gz", shard));
        }
    }

    /**
     * Plays what is missing and returns the whole collection: tasks in order, episodes in theirs.
     */
    List<Trajectory> collect(Job job, Supplier<Policy> policies) {
        Path directory =
                stages.continued(
                        job.stage(),
                        (filling, context) -> playMissing(job, policies, filling, context));
        List<Trajectory> all = new ArrayList<>();
        for (int shard = 0; shard < job.shards(); shard++) {
            all.addAll(TrajectoryFiles.trajectories().read(Job.file(directory, shard)));
        }
        requireOneWhole(all, job, directory);
        return all;
    }

    /** Where every single episode was aborted, it is not the policy that is at fault. */
    private static void requireOneWhole(List<Trajectory> all, Job job, Path directory) {
        if (!all.isEmpty()
                && all.stream().allMatch(t -> t.end() instanceof EpisodeEnd.Aborted)
                && all.get(0).end() instanceof EpisodeEnd.Aborted first) {
            throw new RunException(
                    job.label()
                            + ": all "
                            + all.size()
                            + " episodes were aborted, since the environment failed; the first at "
                            + first.cause()
                            + "; repair the environment and delete "
                            + directory);
        }
    }

    private void playMissing(
            Job job, Supplier<Policy> policies, Path directory, RunContext context) {
        Queue<Integer> missing = new ConcurrentLinkedQueue<>();
        long episodes = 0;
        for (int shard = 0; shard < job.shards(); shard++) {
            if (!Files.exists(Job.file(directory, shard))) {
                missing.add(shard);
                episodes += (long) job.tasks(shard).size() * job.episodes();
            }
        }
        if (missing.isEmpty()) {
            return;
        }
        try (Progress progress = context.progress(job.label(), episodes)) {
            RunContext sharing = new SharedProgressContext(context, progress);
            Runnable work =
                    () -> {
                        try (Policy policy = policies.get()) {
                            for (Integer shard = missing.poll();
                                    shard != null;
                                    shard = missing.poll()) {
                                play(job, shard, policy, directory, sharing);
                            }
                        }
                    };
            inParallel(job.stage(), work, Math.min(workers, missing.size()), missing);
        }
    }

    private void play(Job job, int shard, Policy policy, Path directory, RunContext context) {
        RolloutPlan plan = RolloutPlan.of(job.tasks(shard), job.episodes(), job.random());
        TrajectoryFiles.trajectories()
                .write(
                        Job.file(directory, shard),
                        new RolloutRunner(environment, runner, context).collect(policy, plan),
                        stages.files());
    }

    /** Runs the work on several threads; the first failure empties the queue and ends all. */
    private static void inParallel(String stage, Runnable work, int threads, Queue<Integer> queue) {
        if (threads <= 1) {
            work.run();
            return;
        }
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(pool.submit(work));
            }
            for (Future<?> future : running) {
                future.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause
                    ? cause
                    : new RunException(stage + ": a worker failed: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RunException(stage + ": interrupted", e);
        } finally {
            queue.clear();
            pool.shutdown();
            awaitEnd(pool);
        }
    }

    /** The other workers end after their shard; until then their models must stay open. */
    private static void awaitEnd(ExecutorService pool) {
        try {
            while (!pool.awaitTermination(1, TimeUnit.HOURS)) {
                continue;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
