package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.agentprm.lm.checkpoint.TensorValues;
import java.nio.FloatBuffer;

/**
 * The values of a tensor of the checkpoint, read piece by piece out of the tensor of the engine
 * that holds it. They are those of the moment when they are read.
 */
final class PartValues implements TensorValues {
    private final Decoder decoder;
    private final NDArray array;
    private final WeightLayout.Part part;
    private final long firstRow;

    /**
     * @param array float32, laid out as a tensor with that part
     * @param firstRow where the part begins in the array
     */
    PartValues(Decoder decoder, NDArray array, WeightLayout.Part part, long firstRow) {
        this.decoder = decoder;
        this.array = array;
        this.part = part;
        this.firstRow = firstRow;
    }

    @Override
    public void read(long from, FloatBuffer target) {
        int width = part.width();
        long end = from + target.remaining();
        long top = decoder.layout().headStart(part, from / width);
        long bottom = decoder.layout().headEnd(part, (end - 1) / width);
        try (NDManager local = decoder.manager().newSubManager();
                NDArray rows =
                        decoder.script()
                                .call(
                                        local,
                                        "part",
                                        false,
                                        array,
                                        firstRow + top,
                                        firstRow + bottom)) {
            FloatBuffer values = rows.toByteBuffer(true).asFloatBuffer();
            for (long at = from; at < end; ) {
                int column = (int) (at % width);
                int count = (int) Math.min(width - column, end - at);
                int row = (int) (decoder.layout().place(part, at / width) - top);
                target.put(values.slice(row * width + column, count));
                at += count;
            }
        }
    }
}
