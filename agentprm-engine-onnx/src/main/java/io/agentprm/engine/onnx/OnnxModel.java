package io.agentprm.engine.onnx;

import io.agentprm.lm.checkpoint.LoraAdapter;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.Tensors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** A checkpoint as an ONNX model, whose weights are read when they are written or loaded. */
final class OnnxModel {
    /** Name of the model file. */
    static final String FILE = "model.onnx";

    /** Name of the file with its weights. */
    static final String DATA_FILE = "model.onnx.data";

    private static final String FORMAT = "3";

    private final OnnxGraph graph;
    private final byte[] bytes;

    private OnnxModel(OnnxGraph graph, byte[] bytes) {
        this.graph = graph;
        this.bytes = bytes;
    }

    /**
     * Puts a model together.
     *
     * @param tensors weights of the directory, open while the model is in use
     * @param adapter merged into them
     */
    static OnnxModel of(
            ModelDirectory directory,
            Tensors tensors,
            Optional<LoraAdapter> adapter,
            Precision precision) {
        OnnxGraph graph = new OnnxGraph(DATA_FILE);
        Function<String, float[]> weights =
                name ->
                        adapter.filter(a -> a.weights().contains(name))
                                .map(a -> a.merge(name, tensors.toArray(name)))
                                .orElseGet(() -> tensors.toArray(name));
        DecoderGraph.build(directory.config(), precision, weights, graph);
        Map<String, String> metadata = new TreeMap<>();
        metadata.put("agentprm.format", FORMAT);
        metadata.put("agentprm.precision", precision.name().toLowerCase(java.util.Locale.ROOT));
        return new OnnxModel(graph, graph.toBytes(metadata));
    }

    /** Writes model and weights into a directory. */
    void write(Path directory) throws IOException {
        Files.write(directory.resolve(FILE), bytes);
        try (FileChannel channel =
                FileChannel.open(
                        directory.resolve(DATA_FILE),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE)) {
            for (Weight weight : graph.weights()) {
                ByteBuffer values = weight.values().get();
                long at = graph.offset(weight);
                while (values.hasRemaining()) {
                    at += channel.write(values, at);
                }
            }
        }
    }

    /** Loads the model; nothing of it is needed afterwards. */
    Session load(OnnxRuntime runtime) {
        return runtime.session(bytes, graph.weights());
    }
}
