package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.agentprm.engine.onnx.CApi.Call;
import io.agentprm.lm.DeviceChoice;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What runs where is read from ONNX Runtime, and products on the processor are no CUDA. */
class PlacementTest {
    private static Placement of(Map<String, Map<String, Integer>> nodes) {
        SortedMap<String, SortedMap<String, Integer>> sorted = new TreeMap<>();
        nodes.forEach((provider, operators) -> sorted.put(provider, new TreeMap<>(operators)));
        return new Placement(sorted);
    }

    /** The processor's build has one provider, which everything is placed on. */
    @Test
    void nodesOfASessionAreCountedByProviderAndOperator() {
        CApi api = OnnxRuntime.start(DeviceChoice.CPU, 1).api();
        byte[] graph = GraphMoves.graph();
        Pointer environment = api.create(Call.CREATE_ENV, 4, "test");
        Pointer options = api.create(Call.CREATE_SESSION_OPTIONS);
        api.call(Call.ADD_SESSION_CONFIG_ENTRY, options, Placement.KEY, "1");
        try (Memory bytes = new Memory(graph.length)) {
            bytes.write(0, graph, 0, graph.length);
            Pointer session =
                    api.create(
                            Call.CREATE_SESSION_FROM_ARRAY,
                            environment,
                            bytes,
                            (long) graph.length,
                            options);
            Placement placement = Placement.of(api, session);
            assertEquals(Map.of("Gather", 1, "Pad", 1), placement.onProcessor());
            assertEquals(Set.of(Placement.CPU), placement.nodes().keySet());
            api.release(Call.RELEASE_SESSION, session);
        }
        api.release(Call.RELEASE_SESSION_OPTIONS, options);
        api.release(Call.RELEASE_ENV, environment);
    }

    @Test
    void whatComputesShapesMayStayOnTheProcessor() {
        Placement placement =
                of(
                        Map.of(
                                "CUDAExecutionProvider",
                                Map.of("MatMul", 9),
                                Placement.CPU,
                                Map.of("Shape", 2, "Gather", 2)));
        assertDoesNotThrow(placement::requireProductsOffProcessor);
    }

    @Test
    void aProductOnTheProcessorIsRefusedWithWhatElseRunsThere() {
        for (String product : Set.of("MatMul", "FusedMatMul", "MatMulNBits", "Gemm")) {
            Placement placement =
                    of(
                            Map.of(
                                    "CUDAExecutionProvider",
                                    Map.of("MatMul", 9),
                                    Placement.CPU,
                                    Map.of("Shape", 2, product, 1)));
            String message =
                    assertThrows(OnnxEngineException.class, placement::requireProductsOffProcessor)
                            .getMessage();
            assertTrue(message.contains(product + "=1"), message);
            assertTrue(message.contains("Shape=2"), message);
        }
    }
}
