package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.agentprm.lm.decode.ChannelPlan;
import io.agentprm.lm.decode.PackedRows;
import java.nio.FloatBuffer;

/** A pass that keeps all that the way back needs. */
final class WholePass implements RecordedPass {
    private final Decoder decoder;
    private final NDManager manager;
    private final Tape tape;
    private final NDArray vector;

    /**
     * @param dropoutKey what dropout's draws follow from
     */
    WholePass(Decoder decoder, Leaves leaves, PackedRows rows, ChannelPlan plan, long dropoutKey) {
        this.decoder = decoder;
        manager = decoder.manager().newSubManager();
        tape = new Tape();
        try {
            vector = decoder.outputs(manager, rows, plan, leaves, dropoutKey, tape);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public float[] outputs() {
        return vector.toFloatArray();
    }

    @Override
    public void backward(float[] slope) {
        NDArray gradient = manager.create(FloatBuffer.wrap(slope), new Shape(slope.length));
        tape.backward(decoder.script(), vector, gradient);
    }

    @Override
    public void close() {
        tape.close();
        manager.close();
    }
}
