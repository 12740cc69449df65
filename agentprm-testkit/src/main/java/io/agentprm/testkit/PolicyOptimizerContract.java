package io.agentprm.testkit;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.optim.OptimizationRequest;
import io.agentprm.api.optim.PolicyOptimizer;
import io.agentprm.api.run.CancelledException;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Trajectory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every {@link PolicyOptimizer} promises, tried on a small house with a tabular model, good
 * and bad demonstrations, and a reward model that knows the true values. Extend it in a test of
 * your own, with settings for some ten short steps:
 *
 * <pre>{@code
 * class MyOptimizerTest extends PolicyOptimizerContract {
 *     @Override
 *     protected PolicyOptimizer optimizer(RunContext context) {
 *         return new MyOptimizer(10, 0.1);
 *     }
 * }
 * }</pre>
 */
public abstract class PolicyOptimizerContract {
    /** Chance in the measured value: twice the standard error of 600 episodes, rounded up. */
    private static final double NOISE = 0.03;

    @TempDir private Path first;
    @TempDir private Path second;

    /**
     * The optimiser, the same at every call.
     *
     * @param context what its provider would be given
     */
    protected abstract PolicyOptimizer optimizer(RunContext context);

    /** Trajectories to work on; by default demonstrations of the house, most of them optimal. */
    protected List<Trajectory> trajectories() {
        return new OptimizerBench().trajectories();
    }

    private OptimizationReport optimize(OptimizerBench bench, RunContext context) {
        return optimizer(context)
                .optimize(
                        OptimizationRequest.of(bench.watched(), trajectories(), context)
                                .with(bench.rewardModel()));
    }

    private OptimizerBench optimized(Path directory) {
        directory.toFile().mkdirs();
        OptimizerBench bench = new OptimizerBench();
        optimize(bench, RecordingContext.of(1, directory));
        return bench;
    }

    @Test
    final void thePolicyIsNoWorseAfterwards() {
        Rule rule =
                Rule.of(
                        "a policy is worth at least as much after its optimisation",
                        "look at the sign of the gradient, at advantages and at the step size");
        OptimizerBench bench = new OptimizerBench();
        double before = bench.value();
        optimize(bench, RecordingContext.of(1, first));
        double after = bench.value();
        rule.holds(after >= before - NOISE, "mean outcome", before + " or more", after);
    }

    @Test
    final void sameInputsGiveTheSamePolicy() {
        Rule rule =
                Rule.of(
                        "the same policy, trajectories and seed give the same weights and report",
                        "draw from context.random() only, and give every collection an order");
        OptimizerBench one = new OptimizerBench();
        OptimizationReport report = optimize(one, RecordingContext.of(1, first));
        OptimizerBench other = new OptimizerBench();
        rule.same(report, optimize(other, RecordingContext.of(1, second)), "report");
        rule.same(one.model().weightsHash(), other.model().weightsHash(), "hash of the weights");
    }

    private boolean repeats() {
        return optimized(first.resolve("a")).model().weightsHash()
                == optimized(first.resolve("b")).model().weightsHash();
    }

    @Test
    final void itStopsWhenAsked() {
        Rule rule =
                Rule.of(
                        "an optimisation that is asked to stop ends with a CancelledException",
                        "look at context.cancellation() after every step");
        rule.refused(
                CancelledException.class,
                "a stop asked for from the start",
                () ->
                        optimize(
                                new OptimizerBench(),
                                RecordingContext.of(1, first).stoppingAtLook(1)));
    }

    @Test
    final void aStoppedOptimisationGoesOnToTheSamePolicy() {
        Assumptions.assumeTrue(repeats(), "does not even repeat itself, see the other rule");
        OptimizerBench stopped = new OptimizerBench();
        try {
            optimize(stopped, RecordingContext.of(1, second).stoppingAtLook(3));
            Assumptions.abort("did not stop, see the other rule");
        } catch (CancelledException e) {
            // As it should be.
        }
        Rule rule =
                Rule.of(
                        "an optimisation that was stopped goes on from its checkpoint and ends"
                                + " like an undisturbed one",
                        "save a checkpoint before throwing, restore the latest one at the start,"
                                + " and key draws by step");
        long expected = optimized(first.resolve("c")).model().weightsHash();
        rule.same(
                expected,
                optimized(second).model().weightsHash(),
                "hash of the weights, stopped at the third look and run again");
    }

    @Test
    final void theReferenceIsThePolicyAsGiven() {
        Rule rule =
                Rule.of(
                        "the reference policy has the weights that the policy came with, and keeps"
                                + " them",
                        "take the snapshot before the first step, and never train it");
        OptimizerBench bench = optimized(first);
        if (!bench.snapshots().isEmpty()) {
            WatchedSnapshots.Snapshot reference = bench.snapshots().get(0);
            rule.same(bench.startHash(), reference.hash(), "hash of the first snapshot");
            rule.same(
                    reference.hash(),
                    reference.model().weightsHash(),
                    "hash of the first snapshot at the end");
        }
    }

    @Test
    final void snapshotsAreClosedAndThePolicyIsNot() {
        Rule rule =
                Rule.of(
                        "an optimiser closes the snapshots that it takes, and leaves the policy"
                                + " open",
                        "use try-with-resources for what you open, and close nothing that was"
                                + " given to you");
        OptimizerBench bench = optimized(first);
        for (WatchedSnapshots.Snapshot snapshot : bench.snapshots()) {
            rule.holds(!WatchedSnapshots.open(snapshot.model()), "a snapshot", "closed", "open");
        }
        rule.holds(WatchedSnapshots.open(bench.model()), "the policy's model", "open", "closed");
    }

    @Test
    final void figuresAreFinite() {
        Rule rule =
                Rule.of(
                        "the report has at least one step, and figures that are numbers",
                        "count steps, and leave out a figure where there is none");
        OptimizationReport report = optimize(new OptimizerBench(), RecordingContext.of(1, first));
        rule.holds(report.steps() >= 1, "steps()", "1 or more", report.steps());
        report.summary()
                .forEach(
                        (name, value) ->
                                rule.holds(Double.isFinite(value), name, "a finite number", value));
    }

    @Test
    final void nothingToLearnFromIsAnError() {
        Rule rule =
                Rule.of(
                        "an optimisation without any trajectory is refused",
                        "throw an AgentPrmException that says what is missing: a policy that stays"
                                + " as it is looks like one that was trained");
        RunContext context = RecordingContext.of(1, first);
        rule.refused(
                AgentPrmException.class,
                "no trajectories",
                () -> {
                    OptimizerBench bench = new OptimizerBench();
                    optimizer(context)
                            .optimize(
                                    OptimizationRequest.of(bench.watched(), List.of(), context)
                                            .with(bench.rewardModel()));
                });
    }

    @Test
    final void aMissingRewardModelIsNoSurprise() {
        Rule rule =
                Rule.of(
                        "without a reward model an optimiser does without, or refuses with an"
                                + " AgentPrmException",
                        "ask request.rewardModel() with orElseThrow and a message of your own");
        RunContext context = RecordingContext.of(1, first);
        rule.answeredOrRefused(
                AgentPrmException.class,
                "no reward model",
                () ->
                        optimizer(context)
                                .optimize(
                                        OptimizationRequest.of(
                                                new OptimizerBench().watched(),
                                                trajectories(),
                                                context)));
    }
}
