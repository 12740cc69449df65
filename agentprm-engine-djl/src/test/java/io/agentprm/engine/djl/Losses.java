package io.agentprm.engine.djl;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A weighted sum of everything that the channels give, over the number of rows. */
record Losses(Map<Channel, Double> weights, double poison) implements LossFunction {
    static Losses of(Map<Channel, Double> weights) {
        return new Losses(weights, 0);
    }

    @Override
    public Set<Channel> channels() {
        return weights.keySet();
    }

    @Override
    public double normalizer(List<TrainingRow> batch) {
        return batch.size();
    }

    @Override
    public Value evaluate(List<TrainingRow> rows, ModelOutputs outputs, double normalizer) {
        List<TokenTree> trees = rows.stream().map(TrainingRow::tree).toList();
        ModelOutputs gradient = ModelOutputs.zeros(trees, channels());
        double loss = 0;
        for (Channel channel : channels()) {
            for (int r = 0; r < trees.size(); r++) {
                for (int s = 0; s < trees.get(r).segments().size(); s++) {
                    double[] values = outputs.at(channel, r, s);
                    for (int i = 0; i < values.length; i++) {
                        double weight = weights.get(channel) * (1 + i % 3) / normalizer;
                        loss += weight * values[i];
                        gradient.at(channel, r, s)[i] = weight + poison;
                    }
                }
            }
        }
        return new Value(loss, gradient, Map.of("rows", (double) rows.size()));
    }
}
