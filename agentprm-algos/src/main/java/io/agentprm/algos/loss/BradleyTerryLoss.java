package io.agentprm.algos.loss;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.Logistic;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TrainingRow;
import java.util.List;
import java.util.Set;

/**
 * Bradley-Terry loss of score differences, {@code -ln sigmoid(q_chosen - q_rejected)}, averaged
 * over pairs (the relative PRM of Choudhury, arXiv 2502.10325). In a tree with branches, branches 1
 * and 2 are a pair, 3 and 4 the next, and so on, the preferred one first; rows without branches
 * pair up by group, the preferred one first. Each side carries exactly one mark. Metric: {@code
 * accuracy}.
 */
public final class BradleyTerryLoss implements LossFunction {
    @Override
    public Set<Channel> channels() {
        return Set.of(Channel.SCORE);
    }

    @Override
    public double normalizer(List<TrainingRow> batch) {
        return Pair.count(batch);
    }

    @Override
    public Value evaluate(List<TrainingRow> rows, ModelOutputs outputs, double normalizer) {
        LossSum sum = LossSum.of(rows, channels(), normalizer);
        for (Pair pair : Pair.of(rows)) {
            Pair.Side chosen = pair.chosen();
            Pair.Side rejected = pair.rejected();
            double margin = score(outputs, chosen) - score(outputs, rejected);
            double slope = Logistic.sigmoid(-margin);
            sum.add(Logistic.softplus(-margin));
            sum.addSlope(Channel.SCORE, chosen.row(), chosen.segment(), 0, -slope);
            sum.addSlope(Channel.SCORE, rejected.row(), rejected.segment(), 0, slope);
            sum.addMetric("accuracy", margin > 0 ? 1 : 0);
        }
        return sum.value();
    }

    private static double score(ModelOutputs outputs, Pair.Side side) {
        double[] scores = outputs.at(Channel.SCORE, side.row(), side.segment());
        if (scores.length != 1) {
            throw new AlgorithmException(
                    "each side of a pair needs exactly one mark, one has " + scores.length);
        }
        return scores[0];
    }
}
