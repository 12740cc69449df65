package io.agentprm.testkit;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.RenderedSegment;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.optim.OptimizationRequest;
import io.agentprm.api.optim.PolicyOptimizer;
import io.agentprm.api.run.CancelledException;
import io.agentprm.api.run.Checkpoints;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Trajectory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Imitates one success a step: a good optimiser, to be broken by overriding one method. */
class Imitation implements PolicyOptimizer {
    private static final int STEPS = 8;
    private static final Channel LOG_PROB = Channel.logProb(1);

    @Override
    public OptimizationReport optimize(OptimizationRequest request) {
        List<Trajectory> successes =
                request.trajectories().stream().filter(Trajectory::success).toList();
        if (successes.isEmpty()) {
            return withoutData();
        }
        TrainableModel model = request.policy().model();
        LanguageModel reference = model.snapshot();
        try {
            return optimize(request, model, successes);
        } finally {
            end(reference, model);
        }
    }

    OptimizationReport optimize(
            OptimizationRequest request, TrainableModel model, List<Trajectory> successes) {
        RunContext context = request.context();
        Optional<Checkpoints.Checkpoint> latest = context.checkpoints().latest();
        long step = 0;
        if (latest.isPresent()) {
            restore(model, latest.get());
            step = latest.get().step();
        }
        while (step < STEPS) {
            Trajectory one = successes.get(pick(context, step, successes.size()));
            model.step(
                    List.of(row(request.policy().renderer(), one)),
                    new Likelihood(sign()),
                    new UpdateOptions(0.3, 10, 1000));
            step++;
            if (context.cancellation().requested() && stops()) {
                context.checkpoints().save(step, model::saveCheckpoint);
                throw new CancelledException("stopped as asked after step " + step);
            }
        }
        return new OptimizationReport(step, Map.of("imitation.final", figure()));
    }

    OptimizationReport withoutData() {
        throw new TestkitException("no success to imitate: collect some first");
    }

    void end(LanguageModel reference, TrainableModel model) {
        reference.close();
    }

    void restore(TrainableModel model, Checkpoints.Checkpoint checkpoint) {
        model.restoreCheckpoint(checkpoint.directory());
    }

    int pick(RunContext context, long step, int size) {
        return context.random().derive(step).generator().nextInt(size);
    }

    double sign() {
        return 1;
    }

    boolean stops() {
        return true;
    }

    double figure() {
        return 1;
    }

    private static TrainingRow row(StateRenderer renderer, Trajectory trajectory) {
        RenderedSegment segment = renderer.trajectory(trajectory).get(0);
        boolean[] supervised = new boolean[segment.tokens().length];
        for (RenderedSegment.Reply reply : segment.replies()) {
            Arrays.fill(supervised, reply.start(), reply.end(), true);
        }
        return TrainingRow.of(
                TokenTree.trunk(TokenSegment.of(segment.tokens(), supervised, new int[0])));
    }

    /** Minus the log-probability, or plus it. */
    private static final class Likelihood implements LossFunction {
        private final double sign;

        private Likelihood(double sign) {
            this.sign = sign;
        }

        @Override
        public Set<Channel> channels() {
            return Set.of(LOG_PROB);
        }

        @Override
        public double normalizer(List<TrainingRow> batch) {
            return batch.size();
        }

        @Override
        public Value evaluate(List<TrainingRow> rows, ModelOutputs outputs, double normalizer) {
            ModelOutputs gradient =
                    ModelOutputs.zeros(rows.stream().map(TrainingRow::tree).toList(), channels());
            double loss = 0;
            for (int r = 0; r < rows.size(); r++) {
                double[] logProbs = outputs.at(LOG_PROB, r, 0);
                loss -= sign * Arrays.stream(logProbs).sum() / normalizer;
                Arrays.fill(gradient.at(LOG_PROB, r, 0), -sign / normalizer);
            }
            return new Value(loss, gradient, Map.of());
        }
    }
}
