package io.agentprm.engine.onnx;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.agentprm.engine.onnx.CApi.Call;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Settings of ONNX Runtime's CUDA provider. Not run: there was no GPU. */
final class CudaOptions {
    private static final Map<String, String> SETTINGS =
            new TreeMap<>(
                    Map.of(
                            "device_id", "0",
                            // Memory grows by what is needed, not to the next power of two.
                            "arena_extend_strategy", "kSameAsRequested",
                            // 10 bits of the mantissa are too few for numbers within 2e-4.
                            "use_tf32", "0"));

    private CudaOptions() {}

    /** Puts the provider before the processor's. */
    static void append(CApi api, Pointer sessionOptions) {
        Pointer options = api.create(Call.CREATE_CUDA_OPTIONS);
        try {
            List<Memory> keys = SETTINGS.keySet().stream().map(CApi::text).toList();
            List<Memory> values = SETTINGS.values().stream().map(CApi::text).toList();
            api.call(
                    Call.UPDATE_CUDA_OPTIONS,
                    options,
                    CApi.pointers(keys),
                    CApi.pointers(values),
                    (long) SETTINGS.size());
            api.call(Call.APPEND_CUDA, sessionOptions, options);
        } finally {
            api.release(Call.RELEASE_CUDA_OPTIONS, options);
        }
    }
}
