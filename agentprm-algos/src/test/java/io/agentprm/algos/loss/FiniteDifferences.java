package io.agentprm.algos.loss;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.run.RandomSource;
import io.agentprm.testkit.TabularModel;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Compares a loss's gradient with central differences. */
final class FiniteDifferences {
    private static final double STEP = 1e-6;

    private FiniteDifferences() {}

    static ModelOutputs randomOutputs(List<TrainingRow> rows, LossFunction loss, long seed) {
        RandomGenerator random = RandomSource.of(seed).generator();
        ModelOutputs outputs = ModelOutputs.zeros(trees(rows), loss.channels());
        for (Channel channel : loss.channels()) {
            for (int r = 0; r < rows.size(); r++) {
                for (int s = 0; s < rows.get(r).tree().segments().size(); s++) {
                    double[] values = outputs.at(channel, r, s);
                    for (int i = 0; i < values.length; i++) {
                        values[i] = random.nextGaussian();
                    }
                }
            }
        }
        return outputs;
    }

    /** With respect to every output, at random outputs. */
    static void checkOnRandomOutputs(List<TrainingRow> rows, LossFunction loss) {
        ModelOutputs outputs = randomOutputs(rows, loss, 11);
        double normalizer = loss.normalizer(rows);
        ModelOutputs gradient = loss.evaluate(rows, outputs, normalizer).gradient();
        int checked = 0;
        for (Channel channel : loss.channels()) {
            for (int r = 0; r < rows.size(); r++) {
                for (int s = 0; s < rows.get(r).tree().segments().size(); s++) {
                    double[] values = outputs.at(channel, r, s);
                    for (int i = 0; i < values.length; i++, checked++) {
                        double centre = values[i];
                        values[i] = centre + STEP;
                        double above = loss.evaluate(rows, outputs, normalizer).loss();
                        values[i] = centre - STEP;
                        double below = loss.evaluate(rows, outputs, normalizer).loss();
                        values[i] = centre;
                        assertEquals(
                                (above - below) / (2 * STEP),
                                gradient.at(channel, r, s)[i],
                                1e-6,
                                channel + " of row " + r + ", segment " + s + ", output " + i);
                    }
                }
            }
        }
        assertEquals(true, checked > 0);
    }

    /** With respect to every weight of a tabular model with random weights. */
    static void checkThroughTheModel(
            List<TrainingRow> rows, LossFunction loss, TabularModel model) {
        Set<List<Integer>> prefixes = new HashSet<>();
        for (TrainingRow row : rows) {
            for (int s = 0; s < row.tree().segments().size(); s++) {
                int[] trunk = Arrays.copyOf(row.tree().segment(0).tokens(), row.tree().fork(s));
                List<Integer> path = new java.util.ArrayList<>();
                for (int token : trunk) {
                    path.add(token);
                }
                for (int token : row.tree().segment(s).tokens()) {
                    path.add(token);
                    prefixes.add(List.copyOf(path));
                }
            }
        }
        RandomGenerator random = RandomSource.of(13).generator();
        int vocabulary = model.tokenizer().vocabularySize();
        for (List<Integer> prefix : prefixes.stream().sorted(byText()).toList()) {
            double[] logits = random.doubles(vocabulary, -1, 1).toArray();
            model.setLogits(array(prefix), logits);
            model.setScore(array(prefix), random.nextGaussian());
        }
        TabularModel trained = TabularModel.sgd(model.tokenizer());
        for (List<Integer> prefix : prefixes) {
            trained.setLogits(array(prefix), model.logits(array(prefix)));
            trained.setScore(array(prefix), model.scoreAt(array(prefix)));
        }
        trained.step(rows, loss, new UpdateOptions(1, Double.POSITIVE_INFINITY, 7));
        for (List<Integer> list : prefixes) {
            int[] prefix = array(list);
            double[] logits = model.logits(prefix);
            for (int v = 0; v < vocabulary; v++) {
                double centre = logits[v];
                logits[v] = centre + STEP;
                model.setLogits(prefix, logits);
                double above = lossOf(rows, loss, model);
                logits[v] = centre - STEP;
                model.setLogits(prefix, logits);
                double below = lossOf(rows, loss, model);
                logits[v] = centre;
                model.setLogits(prefix, logits);
                assertEquals(
                        (above - below) / (2 * STEP),
                        centre - trained.logits(prefix)[v],
                        1e-6,
                        list + " token " + v);
            }
            double centre = model.scoreAt(prefix);
            model.setScore(prefix, centre + STEP);
            double above = lossOf(rows, loss, model);
            model.setScore(prefix, centre - STEP);
            double below = lossOf(rows, loss, model);
            model.setScore(prefix, centre);
            assertEquals((above - below) / (2 * STEP), centre - trained.scoreAt(prefix), 1e-6);
        }
    }

    private static java.util.Comparator<List<Integer>> byText() {
        return java.util.Comparator.comparing(Object::toString);
    }

    private static double lossOf(List<TrainingRow> rows, LossFunction loss, TabularModel model) {
        return loss.evaluate(
                        rows, model.evaluate(trees(rows), loss.channels()), loss.normalizer(rows))
                .loss();
    }

    static List<TokenTree> trees(List<TrainingRow> rows) {
        return rows.stream().map(TrainingRow::tree).toList();
    }

    private static int[] array(List<Integer> list) {
        return list.stream().mapToInt(Integer::intValue).toArray();
    }
}
