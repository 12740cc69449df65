package io.agentprm.engine.onnx;

import java.util.ArrayList;
import java.util.List;

/** Where the keys and values of a pass's new tokens go. */
final class KeyValues {
    /** Tokens at places of a sequence that go to columns of a slot. */
    private record Move(int sequence, int place, int slot, int column, int tokens) {}

    private final int planes;
    private final List<Move> moves = new ArrayList<>();

    /**
     * @param planes keys and values of each layer
     */
    KeyValues(int planes) {
        this.planes = planes;
    }

    /** Tokens that follow each other in a sequence go to columns that follow each other. */
    void add(int sequence, int place, int slot, int column, int tokens) {
        moves.add(new Move(sequence, place, slot, column, tokens));
    }

    /** Writes what a pass gave. */
    void write(Network.Outputs outputs, Pass pass, Window window) {
        float[] values = outputs.of(DecoderGraph.KEYS_VALUES);
        int each = values.length / (planes * pass.sequences());
        int size = each / (window.kvHeads() * pass.width());
        for (int plane = 0; plane < planes; plane++) {
            for (Move m : moves) {
                int start = (plane * pass.sequences() + m.sequence()) * each + m.place() * size;
                window.write(
                        plane,
                        m.slot(),
                        m.column(),
                        values,
                        start,
                        pass.width() * size,
                        m.tokens());
            }
        }
    }
}
