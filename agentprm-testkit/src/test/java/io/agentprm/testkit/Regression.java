package io.agentprm.testkit;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.RenderedSegment;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.optim.LearningRequest;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.run.CancelledException;
import io.agentprm.api.run.Checkpoints;
import io.agentprm.api.run.Progress;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TurnLabel;
import io.agentprm.api.trajectory.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Logistic regression on labels: a good learner, to be broken by overriding one method. */
class Regression implements RewardLearner {
    static final int STEPS = 12;
    private static final int BATCH = 16;

    @Override
    public OptimizationReport learn(LearningRequest request) {
        List<LabelledTrajectory> data = data(request);
        if (data.stream().allMatch(one -> one.labels().stream().allMatch(Optional::isEmpty))) {
            return withoutData();
        }
        Progress bar = request.context().progress("regression", STEPS);
        try {
            return learn(request, rows(data, request.renderer()), bar);
        } finally {
            end(bar);
        }
    }

    private OptimizationReport learn(
            LearningRequest request, List<TrainingRow> rows, Progress bar) {
        RunContext context = request.context();
        Optional<Checkpoints.Checkpoint> latest = context.checkpoints().latest();
        latest.ifPresent(checkpoint -> restore(request.model(), checkpoint));
        long step = latest.map(Checkpoints.Checkpoint::step).orElse(0L);
        bar.advance(step);
        while (step < STEPS) {
            RandomGenerator random = context.random().derive(step).generator();
            List<TrainingRow> batch =
                    random.ints(BATCH, 0, rows.size()).mapToObj(rows::get).toList();
            request.model().step(batch, new Logistic(), new UpdateOptions(rate(step), 10, 1000));
            step++;
            bar.advance(1);
            if (context.cancellation().requested() && stops()) {
                context.checkpoints().save(step, request.model()::saveCheckpoint);
                throw new CancelledException("stopped as asked after step " + step);
            }
        }
        return new OptimizationReport(step, Map.of("regression.final", figure()));
    }

    /** What there is to learn from. */
    List<LabelledTrajectory> data(LearningRequest request) {
        return request.labelled();
    }

    OptimizationReport withoutData() {
        throw new TestkitException("no label to learn from: estimate some first");
    }

    void restore(TrainableModel model, Checkpoints.Checkpoint checkpoint) {
        model.restoreCheckpoint(checkpoint.directory());
    }

    void end(Progress bar) {
        bar.close();
    }

    double rate(long step) {
        return 0.3;
    }

    /** What a turn's score is trained towards. */
    OptionalDouble target(Turn turn, Optional<TurnLabel> label) {
        return label.isPresent() ? OptionalDouble.of(label.get().value()) : OptionalDouble.empty();
    }

    boolean stops() {
        return true;
    }

    double figure() {
        return 1;
    }

    private List<TrainingRow> rows(List<LabelledTrajectory> data, StateRenderer renderer) {
        List<TrainingRow> rows = new ArrayList<>();
        for (LabelledTrajectory one : data) {
            RenderedSegment segment = renderer.trajectory(one.trajectory()).get(0);
            List<Integer> marks = new ArrayList<>();
            List<Double> targets = new ArrayList<>();
            for (RenderedSegment.Reply reply : segment.replies()) {
                target(one.trajectory().turns().get(reply.turn()), one.labels().get(reply.turn()))
                        .ifPresent(
                                target -> {
                                    marks.add(reply.end() - 1);
                                    targets.add(target);
                                });
            }
            if (!marks.isEmpty()) {
                TokenSegment marked =
                        TokenSegment.of(
                                segment.tokens(),
                                new boolean[segment.tokens().length],
                                marks.stream().mapToInt(m -> m).toArray());
                rows.add(
                        TrainingRow.of(TokenTree.trunk(marked))
                                .with(
                                        TrainingRow.LABEL,
                                        0,
                                        targets.stream().mapToDouble(t -> t).toArray()));
            }
        }
        return rows;
    }

    /** Binary cross-entropy of log-odds with soft labels. */
    private static final class Logistic implements LossFunction {
        @Override
        public Set<Channel> channels() {
            return Set.of(Channel.SCORE);
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
                double[] scores = outputs.at(Channel.SCORE, r, 0);
                double[] labels = rows.get(r).values(TrainingRow.LABEL, 0);
                for (int i = 0; i < scores.length; i++) {
                    double softplus =
                            Math.max(scores[i], 0) + Math.log1p(Math.exp(-Math.abs(scores[i])));
                    loss += (softplus - labels[i] * scores[i]) / normalizer;
                    gradient.at(Channel.SCORE, r, 0)[i] =
                            (1 / (1 + Math.exp(-scores[i])) - labels[i]) / normalizer;
                }
            }
            return new Value(loss, gradient, Map.of());
        }
    }
}
