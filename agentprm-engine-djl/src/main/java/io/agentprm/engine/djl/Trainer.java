package io.agentprm.engine.djl;

import ai.djl.engine.Engine;
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
        ChannelPlan plan = ChannelPlan.of(loss.channels(), decoder.config());
        double normalizer = loss.normalizer(batch);
        double total = 0;
        JniUtils.setGradMode(true);
        try {
            int microBatch = 0;
            for (List<TrainingRow> rows : Groups.of(batch, microBatchTokens)) {
                if (Double.isFinite(total)) {
                    total += accumulate(rows, loss, plan, normalizer, metrics, microBatch++);
                }
            }
        } finally {
            JniUtils.setGradMode(false);
        }
        return total;
    }

    /**
     * The masks of an adapter's dropout come from libtorch's random numbers, which belong to the
     * whole process; keyed like this, a resumed run draws those of an undisturbed one, and a layer
     * that is computed again those of the first time.
     */
    private void keyDropout(int microBatch, int layer) {
        if (decoder.layout().dropout()) {
            RandomSource key =
                    RandomSource.of(optimizer.updates())
                            .derive("dropout")
                            .derive(microBatch)
                            .derive(layer);
            Engine.getEngine("PyTorch").setRandomSeed((int) key.seed());
        }
    }

    private double accumulate(
            List<TrainingRow> rows,
            LossFunction loss,
            ChannelPlan plan,
            double normalizer,
            Map<String, Double> metrics,
            int microBatch) {
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
        try (RecordedPass pass = record(packed, plan, microBatch)) {
            int[] same = IntStream.range(0, rows.size()).toArray();
            plan.read(pass.outputs(), trees, outputs, same);
            LossFunction.Value value = loss.evaluate(rows, outputs, normalizer);
            value.metrics().forEach((name, part) -> metrics.merge(name, part, Double::sum));
            pass.backward(plan.write(value.gradient(), trees, length));
            return value.loss();
        }
    }

    private RecordedPass record(PackedRows packed, ChannelPlan plan, int microBatch) {
        boolean pieces = packed.targetCount() > decoder.positions();
        return recomputeLayers || pieces
                ? new FrugalPass(
                        decoder,
                        optimizer.leaves(),
                        packed,
                        plan,
                        recomputeLayers,
                        layer -> keyDropout(microBatch, layer))
                : wholePass(packed, plan, microBatch);
    }

    private RecordedPass wholePass(PackedRows packed, ChannelPlan plan, int microBatch) {
        keyDropout(microBatch, 0);
        return new WholePass(decoder, optimizer.leaves(), packed, plan);
    }

    /** See {@link io.agentprm.api.lm.TrainableModel#step}. */
    UpdateReport step(List<TrainingRow> batch, LossFunction loss, UpdateOptions options) {
        Map<String, Double> metrics = new TreeMap<>();
        double total;
        try {
            total = accumulate(batch, loss, options.microBatchTokens(), metrics);
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
