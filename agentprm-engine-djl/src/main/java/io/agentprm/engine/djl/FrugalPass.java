package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import io.agentprm.lm.decode.ChannelPlan;
import io.agentprm.lm.decode.PackedRows;
import java.util.ArrayList;
import java.util.List;

/**
 * A pass that keeps less. Of the language head nothing: logits are computed for some positions at a
 * time, and again on the way back. Of each layer, if wanted, only what goes in (Chen et al. 2016,
 * section 3); the rest is computed again on the way back, a layer at a time.
 */
final class FrugalPass implements RecordedPass {
    private final Decoder decoder;
    private final Leaves leaves;
    private final ChannelPlan plan;
    private final NDManager manager;
    private final NDArray at;
    private final NDArray tree;
    private final NDArray angles;
    private final NDArray marks;
    private final List<NDArray> pieces = new ArrayList<>();
    private final int targets;
    private final boolean recompute;
    private final long dropoutKey;
    private final List<NDArray> inputs = new ArrayList<>();
    private final Tape trunk = new Tape();
    private final NDArray states;

    /**
     * @param recompute whether layers are computed again
     * @param dropoutKey what dropout's draws follow from, a layer's the same each time
     */
    FrugalPass(
            Decoder decoder,
            Leaves leaves,
            PackedRows rows,
            ChannelPlan plan,
            boolean recompute,
            long dropoutKey) {
        this.decoder = decoder;
        this.leaves = leaves;
        this.plan = plan;
        this.recompute = recompute;
        this.dropoutKey = dropoutKey;
        manager = decoder.manager().newSubManager();
        try {
            at = Decoder.planes(manager, rows);
            tree = Decoder.tree(manager, rows);
            angles = decoder.anglesFor(rows.positions());
            marks = Decoder.indices(manager, plan.scores() ? rows.marks() : new long[0]);
            targets = plan.temperatures().length == 0 ? 0 : rows.targetCount();
            cut(rows.targets());
            states = recompute ? layerByLayer() : recorded();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void cut(long[] all) {
        int most = decoder.positions();
        for (int from = 0; from < targets; from += most) {
            int count = Math.min(most, targets - from);
            long[] piece = new long[2 * count];
            System.arraycopy(all, from, piece, 0, count);
            System.arraycopy(all, all.length / 2 + from, piece, count, count);
            pieces.add(manager.create(piece, new Shape(2, count)));
        }
    }

    private NDArray recorded() {
        return decoder.script()
                .call(
                        manager,
                        "trunk",
                        true,
                        at,
                        tree,
                        leaves.list(),
                        angles,
                        dropoutKey,
                        trunk.value());
    }

    private NDArray layerByLayer() {
        // Autograd is on, since what comes out is worked on again, but without leaves it has
        // nothing to record.
        NDArray x = decoder.script().call(manager, "embed", true, at, decoder.weightList());
        for (int l = 0; l < decoder.config().layers(); l++) {
            inputs.add(x);
            x =
                    decoder.script()
                            .call(
                                    manager,
                                    "step",
                                    true,
                                    x,
                                    at,
                                    tree,
                                    l,
                                    decoder.weightList(),
                                    angles,
                                    dropoutKey,
                                    List.of());
        }
        return x;
    }

    @Override
    public float[] outputs() {
        float[] out = new float[channels() * targets + (int) marks.size()];
        int from = 0;
        for (NDArray piece : pieces) {
            int count = (int) piece.getShape().get(1);
            try (NDManager local = manager.newSubManager();
                    Tape none = new Tape()) {
                float[] values = tokens(local, states, piece, false, none).toFloatArray();
                for (int c = 0; c < channels(); c++) {
                    System.arraycopy(values, c * count, out, c * targets + from, count);
                }
            }
            from += count;
        }
        if (marks.size() > 0) {
            try (NDManager local = manager.newSubManager();
                    Tape none = new Tape()) {
                float[] scores = marked(local, states, false, none).toFloatArray();
                System.arraycopy(scores, 0, out, channels() * targets, scores.length);
            }
        }
        return out;
    }

    /** Channels of the language head. */
    private int channels() {
        int count = 0;
        for (long wanted : plan.wanted()) {
            count += Long.bitCount(wanted);
        }
        return count;
    }

    private NDArray tokens(NDManager owner, NDArray x, NDArray piece, boolean gradient, Tape tape) {
        return decoder.script()
                .call(
                        owner,
                        "tokens",
                        gradient,
                        x,
                        piece,
                        plan.temperatures(),
                        plan.wanted(),
                        gradient ? leaves.list() : decoder.weightList(),
                        tape.value());
    }

    private NDArray marked(NDManager owner, NDArray x, boolean gradient, Tape tape) {
        return decoder.script()
                .call(
                        owner,
                        "marked",
                        gradient,
                        x,
                        marks,
                        gradient ? leaves.list() : decoder.weightList(),
                        tape.value());
    }

    @Override
    public void backward(float[] slope) {
        NDArray slopeOfStates = heads(slope);
        if (!recompute) {
            trunk.backward(decoder.script(), states, slopeOfStates);
            return;
        }
        states.close();
        for (int l = inputs.size() - 1; l >= 0; l--) {
            NDArray next = layer(l, slopeOfStates);
            slopeOfStates.close();
            slopeOfStates = next;
        }
        if (decoder.layout().trained().contains(WeightLayout.EMBEDDING)) {
            try (NDManager local = manager.newSubManager();
                    Tape tape = new Tape()) {
                NDArray x = decoder.script().call(local, "embed", true, at, leaves.list());
                tape.backward(decoder.script(), x, slopeOfStates);
            }
        }
    }

    private NDArray heads(float[] slope) {
        try (NDManager local = manager.newSubManager()) {
            NDArray leaf = leaf(local, states);
            int from = 0;
            for (NDArray piece : pieces) {
                int count = (int) piece.getShape().get(1);
                float[] own = new float[channels() * count];
                for (int c = 0; c < channels(); c++) {
                    System.arraycopy(slope, c * targets + from, own, c * count, count);
                }
                try (NDManager inner = local.newSubManager();
                        Tape tape = new Tape()) {
                    NDArray y = tokens(inner, leaf, piece, true, tape);
                    NDArray down = Decoder.create(inner, own, channels(), count);
                    tape.backward(decoder.script(), y, down);
                }
                from += count;
            }
            if (marks.size() > 0) {
                float[] own = new float[(int) marks.size()];
                System.arraycopy(slope, channels() * targets, own, 0, own.length);
                try (NDManager inner = local.newSubManager();
                        Tape tape = new Tape()) {
                    NDArray y = marked(inner, leaf, true, tape);
                    tape.backward(decoder.script(), y, Decoder.create(inner, own, own.length));
                }
            }
            return slope(leaf);
        }
    }

    /** Goes back through a layer; returns the gradient of what went into it. */
    private NDArray layer(int l, NDArray slopeOfOutput) {
        try (NDManager local = manager.newSubManager();
                Tape tape = new Tape()) {
            NDArray leaf = leaf(local, inputs.get(l));
            NDArray y =
                    decoder.script()
                            .call(
                                    local,
                                    "step",
                                    true,
                                    leaf,
                                    at,
                                    tree,
                                    l,
                                    leaves.list(),
                                    angles,
                                    dropoutKey,
                                    tape.value());
            tape.backward(decoder.script(), y, slopeOfOutput);
            inputs.get(l).close();
            return slope(leaf);
        }
    }

    private static NDArray leaf(NDManager owner, NDArray x) {
        NDArray leaf = JniUtils.detachGradient((PtNDArray) x);
        leaf.attach(owner);
        leaf.setRequiresGradient(true);
        return leaf;
    }

    private NDArray slope(NDArray leaf) {
        NDArray slope = JniUtils.getGradient((PtNDArray) leaf);
        slope.attach(manager);
        return slope;
    }

    @Override
    public void close() {
        trunk.close();
        manager.close();
    }
}
