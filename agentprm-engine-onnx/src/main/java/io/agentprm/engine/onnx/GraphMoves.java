package io.agentprm.engine.onnx;

import com.sun.jna.Memory;
import io.agentprm.engine.onnx.OnnxGraph.Attributes;
import java.util.Map;

/**
 * Moves in memory that Java does not reach, by a graph on the device: y is x, cut to some columns
 * and filled up with zeros. Allocates as the session of that graph does.
 */
final class GraphMoves implements CacheMoves {
    private static final int DIMENSIONS = 4;

    private final Session session;
    private final Memory numbers = new Memory((1 + 2L * DIMENSIONS) * Long.BYTES);

    /** The graph: x [1, heads, columns, size], limit [1] and pads [8] give y. */
    static byte[] graph() {
        OnnxGraph graph = new OnnxGraph("");
        Object[] any = {"slots", "heads", "columns", "size"};
        String x = graph.input("x", TensorType.FLOAT, any);
        String limit = graph.input("limit", TensorType.INT64, 1);
        String pads = graph.input("pads", TensorType.INT64, 2 * DIMENSIONS);
        String cut =
                graph.node(
                        "Slice", Attributes.none(), x, graph.constant(0), limit, graph.constant(2));
        graph.node(
                "Pad", "", Attributes.none(), java.util.List.of(cut, pads), java.util.List.of("y"));
        graph.declareOutput("y", TensorType.FLOAT, "slots", "heads", "columns_y", "size");
        return graph.toBytes(Map.of());
    }

    /**
     * @param session of the graph; closed with this
     */
    GraphMoves(Session session) {
        this.session = session;
    }

    @Override
    public Device device() {
        return session.device();
    }

    @Override
    public void copy(CachePlanes from, int source, CachePlanes to, int target, int columns) {
        for (int plane = 0; plane < from.planes(); plane++) {
            try (Tensor x = slot(device(), from, plane, source, from.columns());
                    Tensor y = slot(device(), to, plane, target, to.columns())) {
                run(x, y, columns, to.columns() - columns);
            }
        }
    }

    @Override
    public void zero(CachePlanes planes, int slot, int first) {
        if (first > 0) {
            // Copying has filled up with zeros.
            return;
        }
        long bytes = planes.heads() * planes.columnBytes();
        try (Memory zeros = new Memory(bytes)) {
            zeros.clear();
            for (int plane = 0; plane < planes.planes(); plane++) {
                try (Tensor x =
                                session.host()
                                        .tensor(
                                                zeros,
                                                TensorType.FLOAT,
                                                1,
                                                planes.heads(),
                                                1,
                                                planes.size());
                        Tensor y = slot(device(), planes, plane, slot, planes.columns())) {
                    run(x, y, 1, planes.columns() - 1);
                }
            }
        }
    }

    private static Tensor slot(
            Device device, CachePlanes planes, int plane, int slot, int columns) {
        return device.tensor(
                planes.address(plane, slot),
                TensorType.FLOAT,
                1,
                planes.heads(),
                columns,
                planes.size());
    }

    private void run(Tensor x, Tensor y, int columns, int zeros) {
        numbers.clear();
        numbers.setLong(0, columns);
        // Zeros are wanted behind the third of the four dimensions only.
        numbers.setLong((1 + DIMENSIONS + 2L) * Long.BYTES, zeros);
        try (Tensor limit = session.host().tensor(numbers, TensorType.INT64, 1);
                Tensor pads =
                        session.host()
                                .tensor(
                                        numbers.share(Long.BYTES),
                                        TensorType.INT64,
                                        2L * DIMENSIONS)) {
            session.run(Map.of("x", x, "limit", limit, "pads", pads), Map.of("y", y));
        }
    }

    @Override
    public void close() {
        session.close();
        numbers.close();
    }
}
