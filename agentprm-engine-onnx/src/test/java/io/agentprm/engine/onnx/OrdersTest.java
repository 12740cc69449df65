package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.lm.DeviceChoice;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.TensorValues;
import io.agentprm.lm.checkpoint.Tensors;
import io.agentprm.lm.testing.TinyModels;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrdersTest {
    private static final ModelConfig CONFIG = TinyModels.config(32, 2, 48);
    private static final long BYTES = CONFIG.parameters() * Float.BYTES;

    @TempDir private Path directory;

    @Test
    void weightsThatStayInTheCacheArePackedAndNoMore() {
        assertEquals(EnumSet.of(Order.STATES_FIRST), new Orders(BYTES, 0).of(CONFIG));
    }

    @Test
    void largerOnesAreHeldInBothOrdersAsFarAsIsAllowed() {
        assertEquals(EnumSet.allOf(Order.class), new Orders(BYTES - 1, BYTES).of(CONFIG));
        assertEquals(EnumSet.of(Order.WEIGHTS_FIRST), new Orders(BYTES - 1, BYTES - 1).of(CONFIG));
    }

    @Test
    void anExportHoldsBothOrdersUnlessItIsSmallOrOfWholeNumbers() {
        ModelConfig large = TinyModels.config(512, 8, 1408);
        assertEquals(EnumSet.allOf(Order.class), Orders.ofExport(large, Precision.F32));
        assertEquals(EnumSet.allOf(Order.class), Orders.ofExport(large, Precision.F16));
        assertEquals(Orders.PACKED, Orders.ofExport(large, Precision.INT8));
        assertEquals(Orders.PACKED, Orders.ofExport(CONFIG, Precision.F32));
    }

    @Test
    void aBatchTakesTheWeightsAsTheyAre() {
        assertEquals(Order.STATES_FIRST, Order.fasterFor(1));
        assertEquals(Order.WEIGHTS_FIRST, Order.fasterFor(8));
        assertEquals(Order.WEIGHTS_FIRST, Order.fasterFor(32));
        assertEquals(Order.STATES_FIRST, Order.fasterFor(1000));
    }

    /** Two files of graphs and one of weights, of which either graph reads the same places. */
    @Test
    void anExportInBothOrdersGivesTheSameLogitsInEither() throws IOException {
        Path model = TinyModels.create(directory, "model", 4);
        Path exported = directory.resolve("exported");
        export(model, exported, EnumSet.allOf(Order.class));
        float[] expected = logits(exported, BYTES, 0);
        float[] batch = logits(exported, 0, 0);
        float[] both = logits(exported, 0, 1024);
        assertArrayEquals(expected, batch, 2e-5f);
        assertArrayEquals(batch, both, 0, "ten tokens are a batch");
        Files.delete(exported.resolve(Order.WEIGHTS_FIRST.file()));
        assertArrayEquals(expected, logits(exported, 0, 0), 0, "the only order there is");
    }

    /** Nearly all of the file is a hole, which takes no room: the weights there are 0. */
    @Test
    void weightsBeyondTwoGibibytesOfTheirFileAreFound() throws IOException {
        ModelConfig config =
                ModelConfig.builder()
                        .vocabSize(300_000)
                        .hiddenSize(2048)
                        .intermediateSize(8)
                        .layers(1)
                        .heads(2)
                        .kvHeads(1)
                        .headDim(8)
                        .languageHead(false)
                        .scoreHead(true)
                        .scoreBias(true)
                        .contextLength(16)
                        .bosTokenId(1)
                        .padTokenId(0)
                        .eosTokenIds(List.of(2))
                        .build();
        OnnxGraph graph = new OnnxGraph(OnnxModel.DATA_FILE);
        DecoderGraph.build(
                config,
                Precision.F32,
                Order.WEIGHTS_FIRST,
                name -> TensorValues.of(new float[] {1.25f}),
                graph);
        Path file = directory.resolve(Order.WEIGHTS_FIRST.file());
        Files.write(file, graph.toBytes(Map.of()));
        Weight bias =
                graph.weights().stream()
                        .filter(w -> w.name().equals(ModelConfig.SCORE_BIAS))
                        .findFirst()
                        .orElseThrow();
        assertTrue(graph.offset(bias) > 1L << 31, "at " + graph.offset(bias));
        try (RandomAccessFile data =
                new RandomAccessFile(directory.resolve(OnnxModel.DATA_FILE).toFile(), "rw")) {
            data.setLength(graph.dataLength());
            bias.write(data.getChannel().position(graph.offset(bias)), new CRC32C());
        }
        OnnxRuntime runtime = OnnxRuntime.start(DeviceChoice.CPU, 1);
        Session session = runtime.session(file);
        try (Network network =
                        new Network(
                                Map.of(Order.WEIGHTS_FIRST, session),
                                runtime.moves(session),
                                config);
                PassingCaches caches = new PassingCaches(network.moves(), config, 1, 1)) {
            Pass pass = new Pass(1);
            pass.add(0, 0, new int[0], 0, 1);
            long[] planes = {299_999, -1, 0, -1, -1};
            float[] scores =
                    network.run(pass, planes, caches, Questions.scores(new long[] {0}))
                            .of(DecoderGraph.SCORES);
            assertArrayEquals(new float[] {1.25f}, scores);
        }
    }

    /** Two models in the places of one in two orders, to tell which of them computes. */
    @Test
    void passesAreComputedInTheOrderThatIsFasterForThem() throws IOException {
        Path few = directory.resolve("few");
        Path many = directory.resolve("many");
        export(TinyModels.create(directory, "a", 4), few, EnumSet.of(Order.STATES_FIRST));
        export(TinyModels.create(directory, "b", 5), many, EnumSet.of(Order.WEIGHTS_FIRST));
        OnnxRuntime runtime = OnnxRuntime.start(DeviceChoice.CPU, 1);
        Session packed = runtime.session(few.resolve(Order.STATES_FIRST.file()));
        Session batch = runtime.session(many.resolve(Order.WEIGHTS_FIRST.file()));
        Map<Order, Session> both = Map.of(Order.STATES_FIRST, packed, Order.WEIGHTS_FIRST, batch);
        try (Network network = new Network(both, runtime.moves(packed), CONFIG);
                Network alone =
                        new Network(
                                Map.of(
                                        Order.STATES_FIRST,
                                        runtime.session(few.resolve(Order.STATES_FIRST.file()))),
                                runtime.moves(packed),
                                CONFIG)) {
            assertArrayEquals(logits(alone, 1), logits(network, 1), "one token: packed");
            float[] batched = logits(network, 10);
            assertFalse(Arrays.equals(logits(alone, 10), batched), "ten tokens: the other order");
            assertArrayEquals(logits(alone, 100), logits(network, 100), "a prompt: packed");
        }
    }

    private static float[] logits(Network network, int tokens) {
        int[] row = new Random(1).ints(tokens, 3, TinyModels.VOCABULARY).toArray();
        float[][] logits = new CheckedModel(network, CONFIG).logits(List.of(row))[0];
        return logits[tokens - 1];
    }

    private static void export(Path model, Path target, Set<Order> orders) throws IOException {
        ModelDirectory source = ModelDirectory.open(model);
        Files.createDirectory(target);
        source.copyWithoutWeights(target);
        try (Tensors tensors = source.openWeights()) {
            new OnnxModel(source.config(), tensors, Precision.F32, orders).write(target);
        }
    }

    private static float[] logits(Path exported, long cachedBytes, long packedMegabytes) {
        int[] row = new Random(1).ints(10, 3, TinyModels.VOCABULARY).toArray();
        try (OnnxEngine engine =
                        TestEngine.open(TestEngine.config(packedMegabytes, 64), cachedBytes);
                Network network = engine.exported(ModelDirectory.withoutWeights(exported))) {
            float[][] logits = new CheckedModel(network, CONFIG).logits(List.of(row))[0];
            float[] flat = new float[logits.length * logits[0].length];
            for (int i = 0; i < logits.length; i++) {
                System.arraycopy(logits[i], 0, flat, i * logits[0].length, logits[0].length);
            }
            return flat;
        }
    }
}
