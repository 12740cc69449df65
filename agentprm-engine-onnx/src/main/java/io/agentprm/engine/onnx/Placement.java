package io.agentprm.engine.onnx;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import io.agentprm.engine.onnx.CApi.Call;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which of ONNX Runtime's providers run how many nodes of a session's graph, by operator. A
 * provider that was asked for need not run all of a graph: what it has no kernel for goes to the
 * processor, without a word, and what computes shapes is left there on purpose.
 *
 * @param nodes by provider and operator
 */
record Placement(SortedMap<String, SortedMap<String, Integer>> nodes) {
    /** The provider of the processor. */
    static final String CPU = "CPUExecutionProvider";

    /** The key that sessions are made with for ONNX Runtime to note it. */
    static final String KEY = "session.record_ep_graph_assignment_info";

    /** Where a session that was made with {@link #KEY} runs its nodes. */
    static Placement of(CApi api, Pointer session) {
        SortedMap<String, SortedMap<String, Integer>> nodes = new TreeMap<>();
        for (Pointer graph : list(api, Call.SESSION_GET_ASSIGNMENT, session)) {
            Map<String, Integer> operators =
                    nodes.computeIfAbsent(
                            text(api, Call.ASSIGNED_GRAPH_GET_PROVIDER, graph),
                            provider -> new TreeMap<>());
            for (Pointer node : list(api, Call.ASSIGNED_GRAPH_GET_NODES, graph)) {
                operators.merge(text(api, Call.ASSIGNED_NODE_GET_OPERATOR, node), 1, Integer::sum);
            }
        }
        return new Placement(nodes);
    }

    private static String text(CApi api, Call call, Pointer of) {
        return api.create(call, of).getString(0, "UTF-8");
    }

    /** An array that ONNX Runtime keeps. */
    private static List<Pointer> list(CApi api, Call call, Pointer of) {
        PointerByReference first = new PointerByReference();
        try (Memory count = new Memory(Native.SIZE_T_SIZE)) {
            count.clear();
            api.call(call, of, first, count);
            int length = Math.toIntExact(count.getLong(0));
            return length == 0 ? List.of() : List.of(first.getValue().getPointerArray(0, length));
        }
    }

    /** What the processor runs, by operator. */
    Map<String, Integer> onProcessor() {
        return nodes.getOrDefault(CPU, new TreeMap<>());
    }

    /**
     * Refuses a graph whose matrix products do not run on the device: nothing else is worth it.
     *
     * @throws OnnxEngineException with the operators that run on the processor
     */
    void requireProductsOffProcessor() {
        if (onProcessor().keySet().stream().anyMatch(Placement::isProduct)) {
            throw new OnnxEngineException(
                    "device cuda was asked for, but ONNX Runtime would run matrix products of this"
                            + " model on the processor, which has of its nodes "
                            + onProcessor()
                            + ". Use device cpu, or another precision");
        }
    }

    private static boolean isProduct(String operator) {
        return operator.contains("MatMul") || operator.equals("Gemm");
    }
}
