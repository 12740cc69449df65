package io.agentprm.engine.onnx;

import com.sun.jna.Memory;
import io.agentprm.engine.onnx.OnnxGraph.Attributes;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Moves in memory that Java does not reach, by a graph on the device: y is some columns of x,
 * filled up with zeros. Allocates as the session of that graph does.
 */
final class GraphMoves implements CacheMoves {
    private static final int DIMENSIONS = 4;

    private final Session session;
    private final Memory pads = new Memory(2L * DIMENSIONS * Long.BYTES);

    /** The graph: x [1, heads, columns, size], chosen columns and pads [8] give y. */
    static byte[] graph() {
        OnnxGraph graph = new OnnxGraph("");
        Object[] any = {"slots", "heads", "columns", "size"};
        String x = graph.input("x", TensorType.FLOAT, any);
        String chosen = graph.input("chosen", TensorType.INT64, "chosen_columns");
        String pads = graph.input("pads", TensorType.INT64, 2 * DIMENSIONS);
        String cut = graph.node("Gather", Attributes.none().number("axis", 2), x, chosen);
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
                run(x, y, leading(columns), to.columns() - columns);
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
                    run(x, y, leading(1), planes.columns() - 1);
                }
            }
        }
    }

    /** By way of a copy of each slot: a graph may not write where it reads. */
    @Override
    public void pull(CachePlanes planes, int[] slots, int[] from, int[] to) {
        Map<Integer, long[]> columns = new TreeMap<>();
        for (int i = 0; i < slots.length; i++) {
            columns.computeIfAbsent(slots[i], slot -> leading(planes.columns()))[to[i]] = from[i];
        }
        try (CachePlanes copy =
                CachePlanes.of(device(), 1, 1, planes.heads(), planes.columns(), planes.size())) {
            columns.forEach(
                    (slot, chosen) -> {
                        for (int plane = 0; plane < planes.planes(); plane++) {
                            try (Tensor x = slot(device(), planes, plane, slot, planes.columns());
                                    Tensor y = slot(device(), copy, 0, 0, copy.columns())) {
                                run(x, y, chosen, 0);
                                run(y, x, leading(copy.columns()), 0);
                            }
                        }
                    });
        }
    }

    private static long[] leading(int columns) {
        return LongStream.range(0, columns).toArray();
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

    private void run(Tensor x, Tensor y, long[] columns, int zeros) {
        pads.clear();
        // Zeros are wanted behind the third of the four dimensions only.
        pads.setLong((DIMENSIONS + 2L) * Long.BYTES, zeros);
        try (Memory numbers = new Memory((long) columns.length * Long.BYTES)) {
            numbers.write(0, columns, 0, columns.length);
            Device host = session.host();
            try (Tensor chosen = host.tensor(numbers, TensorType.INT64, columns.length);
                    Tensor padding = host.tensor(pads, TensorType.INT64, 2L * DIMENSIONS)) {
                session.run(Map.of("x", x, "chosen", chosen, "pads", padding), Map.of("y", y));
            }
        }
    }

    @Override
    public void close() {
        session.close();
        pads.close();
    }
}
