package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.Tensors;
import io.agentprm.lm.testing.TinyModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
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
