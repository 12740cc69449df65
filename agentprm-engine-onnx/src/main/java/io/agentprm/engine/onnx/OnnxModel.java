package io.agentprm.engine.onnx;

import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.TensorValues;
import io.agentprm.lm.checkpoint.Tensors;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A checkpoint as an ONNX model: a graph for each order of products, and one file of weights for
 * all of them.
 */
final class OnnxModel {
    /** Name of the file with the weights. */
    static final String DATA_FILE = "model.onnx.data";

    private final Map<Order, OnnxGraph> graphs = new TreeMap<>();
    private final Map<String, String> metadata = new TreeMap<>();

    /**
     * Puts a model together, whose weights are read when they are written.
     *
     * @param tensors open until then
     */
    OnnxModel(ModelConfig config, Tensors tensors, Precision precision, Set<Order> orders) {
        for (Order order : orders) {
            OnnxGraph graph = new OnnxGraph(DATA_FILE);
            DecoderGraph.build(
                    config, precision, order, name -> TensorValues.from(tensors, name), graph);
            graphs.put(order, graph);
        }
        metadata.put("agentprm.precision", precision.name().toLowerCase(Locale.ROOT));
    }

    /** Writes graphs and weights into a directory. */
    void write(Path directory) throws IOException {
        Seal seal = new Seal();
        OnnxGraph any = List.copyOf(graphs.values()).get(0);
        try (FileChannel channel =
                FileChannel.open(
                        directory.resolve(DATA_FILE),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE)) {
            for (Weight weight : any.weights()) {
                weight.write(channel.position(any.offset(weight)), seal.checksum());
            }
            seal.appendTo(channel.position(any.dataLength()));
        }
        seal.putInto(metadata);
        for (Map.Entry<Order, OnnxGraph> graph : graphs.entrySet()) {
            Files.write(
                    directory.resolve(graph.getKey().file()), graph.getValue().toBytes(metadata));
        }
    }
}
