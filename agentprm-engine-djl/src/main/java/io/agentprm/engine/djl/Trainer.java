package io.agentprm.engine.djl;

import ai.djl.pytorch.jni.JniUtils;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.lm.UpdateReport;
import io.agentprm.api.run.RandomSource;
import io.agentprm.lm.decode.ChannelPlan;
import io.agentprm.lm.decode.Groups;
import io.agentprm.lm.decode.PackedRows;
import io.agentprm.lm.decode.Recall;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Optimiser steps on a decoder. */
final class Trainer {
    private static final int MAX_SKIPPED = 5;

    private final Decoder decoder;
    private final AdamW optimizer;
    private final boolean recomputeLayers;
    private int skipped;
    private long tokens;

    Trainer(Decoder decoder, OptimizerOptions options) {
        this(decoder, options, false);
    }

    /**
     * @param recomputeLayers whether only what goes into each layer is kept for the way back
     */
    Trainer(Decoder decoder, OptimizerOptions options, boolean recomputeLayers) {
        this.decoder = decoder;
        this.recomputeLayers = recomputeLayers;
        this.optimizer = new AdamW(decoder, options);
    }

    AdamW optimizer() {
        return optimizer;
    }

    /** Steps in a row that were skipped because something was not finite. */
    int skipped() {
        return skipped;
    }

    void setSkipped(int count) {
        skipped = count;
    }

    /** Tokens that went through the network. */
    long tokens() {
        return tokens;
    }

    /** Accumulates the gradient of a batch's loss; returns the loss, metrics are added up. */
    double accumulate(
            List<TrainingRow> batch,
            LossFunction loss,
            int microBatchTokens,
            Map<String, Double> metrics) {
        return accumulate(batch, loss, microBatchTokens, RandomSource.of(0), metrics);
    }

    private double accumulate(
            List<TrainingRow> batch,
            LossFunction loss,
            int microBatchTokens,
            RandomSource random,
            Map<String, Double> metrics) {
        ChannelPlan plan = ChannelPlan.of(loss.channels(), decoder.config());
        double normalizer = loss.normalizer(batch);
        double total = 0;
        JniUtils.setGradMode(true);
        try {
            int microBatch = 0;
            for (List<TrainingRow> rows : Groups.of(batch, microBatchTokens)) {
                if (Double.isFinite(total)) {
                    long key = dropoutKey(random, microBatch++);
                    total += accumulate(rows, loss, plan, normalizer, metrics, key);
                }
            }
        } finally {
            JniUtils.setGradMode(false);
        }
        return total;
    }

    /**
     * Other draws for each update and micro-batch, and for a resumed run those of the first one.
     */
    private long dropoutKey(RandomSource random, int microBatch) {
        if (!decoder.layout().dropout()) {
            return Decoder.NO_DROPOUT;
        }
        RandomSource own = random.derive(optimizer.updates()).derive(microBatch);
        // Room for the places of the weights, which are added.
        return own.seed() >>> 2;
    }

    private double accumulate(
            List<TrainingRow> rows,
            LossFunction loss,
            ChannelPlan plan,
            double normalizer,
            Map<String, Double> metrics,
            long dropoutKey) {
        List<TokenTree> trees = rows.stream().map(TrainingRow::tree).toList();
        PackedRows packed = PackedRows.of(trees, Recall.of(decoder.config()));
        tokens += trees.stream().mapToLong(TokenTree::length).sum();
        int length = plan.length(packed);
        ModelOutputs outputs = ModelOutputs.zeros(trees, loss.channels());
        if (length == 0) {
            LossFunction.Value value = loss.evaluate(rows, outputs, normalizer);
            value.metrics().forEach((name, part) -> metrics.merge(name, part, Double::sum));
            return value.loss();
        }
        try (RecordedPass pass = record(packed, plan, dropoutKey)) {
            int[] same = IntStream.range(0, rows.size()).toArray();
            plan.read(pass.outputs(), trees, outputs, same);
            LossFunction.Value value = loss.evaluate(rows, outputs, normalizer);
            value.metrics().forEach((name, part) -> metrics.merge(name, part, Double::sum));
            pass.backward(plan.write(value.gradient(), trees, length));
            return value.loss();
        }
    }

    private RecordedPass record(PackedRows packed, ChannelPlan plan, long dropoutKey) {
        Leaves leaves = optimizer.leaves();
        boolean pieces = packed.targetCount() > decoder.positions();
        return recomputeLayers || pieces
                ? new FrugalPass(decoder, leaves, packed, plan, recomputeLayers, dropoutKey)
                : new WholePass(decoder, leaves, packed, plan, dropoutKey);
    }

    /** See {@link io.agentprm.api.lm.TrainableModel#step}. */
    UpdateReport step(List<TrainingRow> batch, LossFunction loss, UpdateOptions options) {
        Map<String, Double> metrics = new TreeMap<>();
        double total;
        try {
            total = accumulate(batch, loss, options.microBatchTokens(), options.random(), metrics);
        } catch (RuntimeException e) {
            optimizer.clear();
            throw e;
        }
        double norm = optimizer.gradientNorm();
        boolean applied = Double.isFinite(total) && Double.isFinite(norm);
        if (applied) {
            skipped = 0;
            double scale = Math.min(1, options.maxGradientNorm() / Math.max(norm, 1e-30));
            optimizer.step(options.learningRate(), scale);
        } else {
            optimizer.clear();
            skipped++;
            if (skipped >= MAX_SKIPPED) {
                throw new DjlEngineException(
                        String.format(
                                Locale.ROOT,
                                "%d updates in a row were skipped because loss (%s) or gradient"
                                        + " norm (%s) was not finite; lower the learning rate or"
                                        + " look for wrong labels",
                                skipped,
                                total,
                                norm));
            }
        }
        return new UpdateReport(total, norm, applied, metrics);
    }
}
