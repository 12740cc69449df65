package io.agentprm.core.rollout;

import io.agentprm.api.env.Environment;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.EpisodeStart;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.rollout.RolloutPlan;
import io.agentprm.api.rollout.Rollouts;
import io.agentprm.api.run.Progress;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays episodes in rounds: all running ones are put before the policy in one call of at most
 * {@link RolloutConfig#batch()} requests, then every session acts, on several threads; a place that
 * becomes free is taken by the next episode of the plan. What a batch consists of depends on the
 * plan, the batch limit and the episodes themselves only.
 *
 * <p>Random numbers are keyed, so that an episode is the same whatever runs beside it. With {@code
 * E = plan.random().derive(task id).derive(episode number)}, the session's seed is {@code
 * E.derive("session").seed()} and turn t is decided with {@code E.derive("decision").derive(t)}.
 *
 * <p>An environment that throws, dies with a {@link LinkageError} or {@link StackOverflowError}, or
 * does not answer within {@link RolloutConfig#deadline()} costs its own episode only, which ends
 * aborted with the cause, as does one that goes on beyond the step limit that the environment
 * tells. The hanging thread is interrupted and given up; should it come back, its result is
 * discarded and counted, and its session closed then. A policy that throws ends the collection.
 */
public final class RolloutRunner implements Rollouts {
    private static final Logger LOG = LoggerFactory.getLogger(RolloutRunner.class);

    private final Environment environment;
    private final RolloutConfig config;
    private final RunContext context;
    private final String label;
    private final AtomicLong lateResults;

    public RolloutRunner(Environment environment, RolloutConfig config, RunContext context) {
        this(environment, config, context, "rollouts", new AtomicLong());
    }

    private RolloutRunner(
            Environment environment,
            RolloutConfig config,
            RunContext context,
            String label,
            AtomicLong lateResults) {
        this.environment = environment;
        this.config = config;
        this.context = context;
        this.label = label;
        this.lateResults = lateResults;
    }

    /** The same runner with another label of its progress bar. */
    public RolloutRunner labelled(String text) {
        return new RolloutRunner(environment, config, context, text, lateResults);
    }

    /** Answers of environments that came after their deadline and were discarded. */
    public long lateResults() {
        return lateResults.get();
    }

    /**
     * {@inheritDoc}
     *
     * @throws RunException if a task is in the plan twice, since its episodes could not be told
     *     apart
     * @throws io.agentprm.api.run.CancelledException if a stop was requested; sessions are closed
     */
    @Override
    public List<Trajectory> collect(Policy policy, RolloutPlan plan) {
        checkDistinct(plan);
        try (Workers workers = new Workers(config.threads(), config.deadline());
                Progress progress =
                        context.progress(
                                label, (long) plan.tasks().size() * plan.episodesPerTask())) {
            return new Collection(policy, plan, workers, progress).run();
        }
    }

    private static void checkDistinct(RolloutPlan plan) {
        Set<String> ids = new HashSet<>();
        for (Task task : plan.tasks()) {
            if (!ids.add(task.id())) {
                throw new RunException(
                        "task '"
                                + task.id()
                                + "' is in the plan twice: ask for more episodes of each task"
                                + " instead");
            }
        }
    }

    /** One call of {@link #collect}. */
    private final class Collection {
        private final Policy policy;
        private final RolloutPlan plan;
        private final Workers workers;
        private final Progress progress;
        private final int stepLimit;
        private final List<Optional<Trajectory>> results;
        private final List<Optional<Episode>> slots;
        private final List<Episode> ended = new ArrayList<>();
        private int started;
        private int finished;
        private int succeeded;

        Collection(Policy policy, RolloutPlan plan, Workers workers, Progress progress) {
            this.policy = policy;
            this.plan = plan;
            this.workers = workers;
            this.progress = progress;
            this.stepLimit = environment.info().stepLimit();
            int total = plan.tasks().size() * plan.episodesPerTask();
            this.results = new ArrayList<>(java.util.Collections.nCopies(total, Optional.empty()));
            this.slots =
                    new ArrayList<>(
                            java.util.Collections.nCopies(
                                    Math.min(config.batch(), total), Optional.empty()));
        }

        List<Trajectory> run() {
            try {
                while (finished < results.size()) {
                    context.cancellation().check();
                    fill();
                    if (finished < results.size()) {
                        act(decide());
                    }
                    closeEnded();
                }
                return results.stream().map(Optional::orElseThrow).toList();
            } finally {
                // Only after a failure or a stop is anything left here.
                for (Optional<Episode> slot : slots) {
                    slot.ifPresent(
                            episode -> {
                                ended.add(episode);
                                policy.release(episode.id());
                            });
                }
                closeEnded();
            }
        }

        /** Starts episodes until every slot is taken or none is left to start. */
        private void fill() {
            while (started < results.size() && slots.contains(Optional.<Episode>empty())) {
                List<Integer> taken = new ArrayList<>();
                List<Call<EpisodeStart>> calls = new ArrayList<>();
                for (int slot = 0; slot < slots.size() && started < results.size(); slot++) {
                    if (slots.get(slot).isEmpty()) {
                        Episode episode = new Episode(started++, plan, policy.id(), stepLimit);
                        slots.set(slot, Optional.of(episode));
                        taken.add(slot);
                        calls.add(episode.start(environment, lateResults::incrementAndGet));
                    }
                }
                List<Workers.Answer<EpisodeStart>> answers = workers.run(calls);
                for (int i = 0; i < taken.size(); i++) {
                    Workers.Answer<EpisodeStart> answer = answers.get(i);
                    Episode episode = slots.get(taken.get(i)).orElseThrow();
                    if (answer.value().isPresent()) {
                        episode.started(answer.value().get());
                    } else {
                        abort(taken.get(i), "reset: " + answer.failure(), answer.hanging());
                    }
                }
            }
        }

        private List<Decision> decide() {
            List<DecisionRequest> requests = new ArrayList<>();
            slots.forEach(slot -> slot.ifPresent(episode -> requests.add(episode.request())));
            List<List<Decision>> decisions = policy.decide(requests);
            if (decisions.size() != requests.size()
                    || decisions.stream().anyMatch(each -> each.size() != 1)) {
                throw new RunException(
                        "policy '"
                                + policy.id()
                                + "' was asked for one decision on each of "
                                + requests.size()
                                + " states and returned "
                                + decisions.stream().map(List::size).toList());
            }
            return decisions.stream().map(each -> each.get(0)).toList();
        }

        private void act(List<Decision> decisions) {
            List<Integer> acting = new ArrayList<>();
            List<Call<StepResult>> calls = new ArrayList<>();
            for (int slot = 0; slot < slots.size(); slot++) {
                if (slots.get(slot).isPresent()) {
                    Episode episode = slots.get(slot).get();
                    calls.add(
                            episode.step(
                                    decisions.get(acting.size()), lateResults::incrementAndGet));
                    acting.add(slot);
                }
            }
            List<Workers.Answer<StepResult>> answers = workers.run(calls);
            for (int i = 0; i < acting.size(); i++) {
                int slot = acting.get(i);
                Episode episode = slots.get(slot).orElseThrow();
                Workers.Answer<StepResult> answer = answers.get(i);
                if (answer.value().isEmpty()) {
                    abort(
                            slot,
                            "step " + (episode.turn() + 1) + ": " + answer.failure(),
                            answer.hanging());
                } else {
                    episode.stepped(decisions.get(i), answer.value().get())
                            .ifPresent(trajectory -> finish(slot, trajectory, true));
                }
            }
        }

        private void abort(int slot, String cause, boolean hanging) {
            Episode episode = slots.get(slot).orElseThrow();
            finish(slot, episode.abort(cause), !hanging);
        }

        private void finish(int slot, Trajectory trajectory, boolean closing) {
            Episode episode = slots.get(slot).orElseThrow();
            if (trajectory.end() instanceof EpisodeEnd.Aborted aborted) {
                LOG.warn("episode {} is aborted: {}", episode.id(), aborted.cause());
            }
            slots.set(slot, Optional.empty());
            results.set(episode.index(), Optional.of(trajectory));
            finished++;
            succeeded += trajectory.success() ? 1 : 0;
            policy.release(episode.id());
            if (closing) {
                ended.add(episode);
            }
            progress.advance(1);
            progress.note("success " + succeeded + " of " + finished);
        }

        /** Sessions close under the deadline too. */
        private void closeEnded() {
            List<Episode> closing = List.copyOf(ended);
            ended.clear();
            List<Workers.Answer<Boolean>> answers =
                    workers.run(closing.stream().map(Episode::closing).toList());
            for (int i = 0; i < closing.size(); i++) {
                if (answers.get(i).value().isEmpty()) {
                    LOG.warn(
                            "episode {}: its session did not close: {}",
                            closing.get(i).id(),
                            answers.get(i).failure());
                }
            }
        }
    }
}
